package io.warren.examples;

import io.warren.mirroring.group.GroupOutput;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;

/** What a member of {@link RingOfThree} does with what its ring tells it: it prints what is delivered. */
final class RingNode implements GroupOutput<String> {
    private final String name;

    RingNode(String name) {
        this.name = name;
    }

    @Override
    public void deliver(Entry<String> entry) {
        System.out.println(name + " delivers: " + entry.payload());
    }

    @Override
    public void failed(Throwable failure) {
        throw new IllegalStateException("the member of " + name + " has stopped", failure);
    }

    @Override
    public void append(Entry<String> entry) {}

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
