package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueueListener;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a backing queue said later. */
final class FakeBackingListener implements BackingQueueListener {

    /** A body that came later. */
    record Fetched(long offset, Message message) {}

    final List<String> heard = new ArrayList<>();
    private final List<Fetched> fetched = new ArrayList<>();

    /** What was fetched since this was last called. */
    List<Fetched> takeFetched() {
        List<Fetched> taken = List.copyOf(fetched);
        fetched.clear();
        return taken;
    }

    @Override
    public void onSafe() {
        heard.add("safe");
    }

    @Override
    public void onReady() {
        heard.add("ready");
    }

    @Override
    public void onFetched(long offset, Message message) {
        heard.add("fetched " + offset + " " + message.routingKey());
        fetched.add(new Fetched(offset, message));
    }
}
