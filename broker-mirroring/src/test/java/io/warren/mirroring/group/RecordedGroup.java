package io.warren.mirroring.group;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;

/** What a group caused at its node: deliveries, and the rest as lines. Thread-safe. */
public final class RecordedGroup implements GroupOutput<String> {
    private final List<String> delivered = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    public synchronized List<String> delivered() {
        return List.copyOf(delivered);
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public synchronized void deliver(Entry<String> entry) {
        delivered.add(entry.payload());
    }

    @Override
    public synchronized void viewInstalled(View view, long offset) {
        lines.add("installed " + view.epoch());
    }

    @Override
    public synchronized void proposeInSync(long epoch, Member member) {
        lines.add("in sync " + member);
    }

    @Override
    public synchronized void proposeLagging(long epoch, Member member) {
        lines.add("lagging " + member);
    }

    @Override
    public synchronized void lost(Position leftBegins) {
        lines.add("lost " + leftBegins);
    }

    @Override
    public synchronized void failed(Throwable failure) {
        lines.add("failed " + failure.getMessage());
    }

    @Override
    public void append(Entry<String> entry) {}

    @Override
    public void cut(long fromOffset) {}

    @Override
    public void stable(long offset) {}

    @Override
    public void forget(long offset) {}
}
