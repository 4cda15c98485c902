package io.warren.mirroring.attachment;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayList;
import java.util.List;

/** Writes down what an end says, to its channel or queue as to the other end, as one list of texts. */
final class Said {
    private final List<String> all = new ArrayList<>();

    void add(String what) {
        all.add(what);
    }

    /** What was said since the last look. */
    List<String> take() {
        List<String> taken = List.copyOf(all);
        all.clear();
        return taken;
    }

    static String text(Message message) {
        return new String(message.body(), java.nio.charset.StandardCharsets.UTF_8);
    }

    static String text(AttachmentFrame frame) {
        String fields = frame.toString();
        if (frame instanceof AttachmentFrame.Publish publish) {
            fields = "Publish[attempt=" + publish.attempt() + ", number=" + publish.number() + ", firstOpen="
                    + publish.firstOpen() + ", confirm=" + publish.confirm() + ", " + text(publish.message()) + "]";
        }
        // What is as usual is left out.
        return fields.replace("id=1, ", "")
                .replace(", reign=0, source=0", "")
                .replace(", cancelledByFailover=false", "");
    }

    /** A channel that says what it is told. */
    AttachedChannel channel() {
        return new AttachedChannel() {
            @Override
            public void onTaken(int publishes) {
                add("taken " + publishes);
            }

            @Override
            public void onWeighed(int publishes) {
                add("weighs more by " + publishes);
            }

            @Override
            public void onConfirmed(long sequence) {
                add("confirmed " + sequence);
            }

            @Override
            public void onRejected(long sequence) {
                add("rejected " + sequence);
            }

            @Override
            public void onDelivery(
                    String tag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
                add("delivery " + tag + " " + attachment + "/" + offset + " " + text(message));
            }

            @Override
            public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
                add("got " + attachment + "/" + offset + " " + text(message) + " " + readyCount);
            }

            @Override
            public void onGetEmpty() {
                add("got nothing");
            }

            @Override
            public void onConsumeOk(String tag) {
                add("consumes " + tag);
            }

            @Override
            public void onConsumeRefused(String tag, AmqpError error) {
                add("consume refused " + tag + ": " + error.text());
            }

            @Override
            public void onCancelOk(String tag) {
                add("cancel ok " + tag);
            }

            @Override
            public void onCancelled(String tag) {
                add("cancelled " + tag);
            }

            @Override
            public void onDeclareOk(long readyCount, int consumerCount) {
                add("declared " + readyCount + " " + consumerCount);
            }

            @Override
            public void onPurged(long messageCount) {
                add("purged " + messageCount);
            }

            @Override
            public void onDeleteGranted(long messageCount) {
                add("delete granted " + messageCount);
            }

            @Override
            public void onRefused(AmqpError error) {
                add("refused: " + error.text());
            }

            @Override
            public void onQueueGone() {
                add("queue gone");
            }

            @Override
            public void onPermitWanted() {
                add("permit wanted");
            }

            @Override
            public void onPermitsReturned(int permits) {
                add("permits returned " + permits);
            }
        };
    }

    /** A queue that says what it is told, with a name for the attachment. */
    AttachedQueue queue(String name) {
        return new AttachedQueue() {
            private void say(String what) {
                add(name + " " + what);
            }

            @Override
            public void publish(long sequence, Message message) {
                say("publish " + sequence + " " + text(message));
            }

            @Override
            public void publish(long sequence, long firstOpen, Message message) {
                say("publish " + sequence + " from " + firstOpen + " " + text(message));
            }

            @Override
            public void barrier(long sequence) {
                say("barrier " + sequence);
            }

            @Override
            public void consume(Consumer consumer, int permits) {
                say("consume " + consumer.tag() + " credit " + consumer.credit());
            }

            @Override
            public void cancel(String consumerTag) {
                say("cancel " + consumerTag);
            }

            @Override
            public void credit(String consumerTag, int deliveries) {
                say("credit " + consumerTag + " " + deliveries);
            }

            @Override
            public void limitPermits(boolean limited) {
                say("limited " + limited);
            }

            @Override
            public void permit(int permits) {
                say("permit " + permits);
            }

            @Override
            public void get(boolean acknowledges) {
                say("get " + acknowledges);
            }

            @Override
            public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
                say(verb + " " + attachment + "/" + offsets);
            }

            @Override
            public void declare() {
                say("declare");
            }

            @Override
            public void purge() {
                say("purge");
            }

            @Override
            public void delete(boolean ifUnused, boolean ifEmpty) {
                say("delete " + ifUnused + " " + ifEmpty);
            }

            @Override
            public void close(Runnable done) {
                say("close");
                done.run();
            }
        };
    }
}
