package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;

/** Whom a queue speaks to when its reign is over: nobody. Those who used it hear from the next master. */
final class Silence implements AttachedChannel {

    static final AttachedChannel SILENCE = new Silence();

    private Silence() {}

    @Override
    public void onTaken(int publishes) {}

    @Override
    public void onConfirmed(long sequence) {}

    @Override
    public void onRejected(long sequence) {}

    @Override
    public void onDelivery(
            String consumerTag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {}

    @Override
    public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {}

    @Override
    public void onGetEmpty() {}

    @Override
    public void onConsumeOk(String consumerTag) {}

    @Override
    public void onConsumeRefused(String consumerTag, AmqpError error) {}

    @Override
    public void onCancelOk(String consumerTag) {}

    @Override
    public void onCancelled(String consumerTag) {}

    @Override
    public void onDeclareOk(long readyCount, int consumerCount) {}

    @Override
    public void onPurged(long messageCount) {}

    @Override
    public void onDeleteGranted(long messageCount) {}

    @Override
    public void onRefused(AmqpError error) {}

    @Override
    public void onQueueGone() {}

    @Override
    public void onPermitWanted() {}

    @Override
    public void onPermitsReturned(int permits) {}
}
