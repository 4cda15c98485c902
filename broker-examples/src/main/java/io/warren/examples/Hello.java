package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import java.util.Objects;

/** The smallest program: a broker, a queue, a message in, a message out. */
public final class Hello {

    private Hello() {}

    public static void main(String[] arguments) {
        String greeting = arguments.length == 0 ? "Hello from the warren" : String.join(" ", arguments);
        try (Broker broker = Broker.start()) {
            Channel channel = broker.connect().openChannel();
            channel.queueDeclare(QueueOptions.named("hello"));
            channel.publish("", "hello", greeting.getBytes(UTF_8));
            Delivery delivery = Objects.requireNonNull(channel.get("hello", true));
            System.out.println("received: " + delivery.text());
            channel.connection().close();
        }
    }
}
