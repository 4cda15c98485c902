package io.warren.amqp.session;

import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.Method;
import io.warren.core.message.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a connection wants done, so that tests compare lists. */
final class RecordingOutput implements SessionOutput {

    private final List<Object> effects = new ArrayList<>();
    final List<DeliveryCredit> credits = new ArrayList<>();

    /** A method on a channel. */
    record Sent(int channel, Method method) {}

    /** A method with the text of its body. */
    record SentContent(int channel, Method method, String body) {}

    /** What happened since this was asked last. */
    List<Object> take() {
        List<Object> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    @Override
    public void method(int channel, Method method) {
        effects.add(new Sent(channel, method));
    }

    @Override
    public void content(int channel, Method method, Message message) {
        effects.add(new SentContent(channel, method, new String(message.body(), StandardCharsets.UTF_8)));
    }

    @Override
    public void deliver(int channel, BasicMethod.Deliver method, Message message, DeliveryCredit credit) {
        credits.add(credit);
        content(channel, method, message);
    }

    @Override
    public void tuned(int frameBytesMax, int heartbeatSeconds) {
        effects.add("tuned " + frameBytesMax + " " + heartbeatSeconds);
    }

    @Override
    public void pause(boolean paused) {
        effects.add(paused ? "pause" : "go on");
    }

    @Override
    public void closing() {
        effects.add("closing");
    }

    @Override
    public void close() {
        effects.add("close");
    }
}
