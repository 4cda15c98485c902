package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueueListener;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a backing queue said later. */
final class FakeBackingListener implements BackingQueueListener {

    final List<String> heard = new ArrayList<>();

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
    }
}
