package io.warren.examples;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.RingMember;
import io.warren.mirroring.ring.RingOptions;
import io.warren.mirroring.ring.RingOutput;
import io.warren.mirroring.ring.View;
import java.util.Deque;
import java.util.Map;

/** A member of {@link RingOfThree} with the least shell there can be: frames go into a queue, and every disk is quick. */
final class RingNode implements RingOutput<String> {
    private final String name;
    private final Map<String, RingNode> nodes;
    private final Deque<Runnable> underWay;
    private final RingMember<String> member;

    RingNode(String name, Map<String, RingNode> nodes, Deque<Runnable> underWay) {
        this.name = name;
        this.nodes = nodes;
        this.underWay = underWay;
        member = new RingMember<>(new Member(name, 1), 1, RingOptions.defaults(), new Log<>(), this);
    }

    RingMember<String> member() {
        return member;
    }

    /** A node that is gone gets nothing any more. */
    @Override
    public void send(String node, Frame<String> frame) {
        underWay.add(() -> {
            RingNode to = nodes.get(node);
            if (to != null) {
                to.member.onFrame(name, frame);
            }
        });
    }

    @Override
    public void append(Entry<String> entry) {
        underWay.add(() -> member.onDurable(entry.offset()));
    }

    @Override
    public void deliver(Entry<String> entry) {
        System.out.println(name + " delivers: " + entry.payload());
    }

    @Override
    public void cut(long fromOffset) {}

    @Override
    public void viewInstalled(View view, long offset) {}

    @Override
    public void stable(long offset) {}

    @Override
    public void forget(long offset) {}

    @Override
    public void proposeInSync(long epoch, Member proposed) {}

    @Override
    public void proposeLagging(long epoch, Member lagging) {}

    @Override
    public void lost(Position leftBegins) {}
}
