package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import java.util.ArrayList;
import java.util.List;

/** An attached channel that writes down what it hears. */
final class RecordedChannel implements AttachedChannel {

    private final List<String> heard = new ArrayList<>();

    /** All that was heard since it was last asked. */
    List<String> heard() {
        List<String> all = List.copyOf(heard);
        heard.clear();
        return all;
    }

    static String text(Message message) {
        return new String(message.body(), UTF_8);
    }

    @Override
    public void onTaken(int publishes) {
        heard.add("taken " + publishes);
    }

    @Override
    public void onConfirmed(long sequence) {
        heard.add("confirmed " + sequence);
    }

    @Override
    public void onRejected(long sequence) {
        heard.add("rejected " + sequence);
    }

    @Override
    public void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
        heard.add("delivered " + text(message) + (redelivered ? " again" : "") + " in " + attachment);
    }

    @Override
    public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
        heard.add("got " + text(message) + " before " + readyCount);
    }

    @Override
    public void onGetEmpty() {
        heard.add("got nothing");
    }

    @Override
    public void onConsumeOk(String consumerTag) {
        heard.add("consumes " + consumerTag);
    }

    @Override
    public void onConsumeRefused(String consumerTag, AmqpError error) {
        heard.add("consume refused: " + error.text());
    }

    @Override
    public void onCancelOk(String consumerTag) {
        heard.add("cancel ok " + consumerTag);
    }

    @Override
    public void onCancelled(String consumerTag) {
        heard.add("cancelled " + consumerTag);
    }

    @Override
    public void onDeclareOk(long readyCount, int consumerCount) {
        heard.add("declared " + readyCount + " " + consumerCount);
    }

    @Override
    public void onPurged(long messageCount) {
        heard.add("purged " + messageCount);
    }

    @Override
    public void onDeleteGranted(long messageCount) {
        heard.add("delete granted " + messageCount);
    }

    @Override
    public void onRefused(AmqpError error) {
        heard.add("refused: " + error.text());
    }

    @Override
    public void onQueueGone() {
        heard.add("queue gone");
    }

    @Override
    public void onPermitWanted() {
        heard.add("permit wanted");
    }

    @Override
    public void onPermitsReturned(int permits) {
        heard.add("permits returned " + permits);
    }
}
