package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import java.util.Map;

/** A headers exchange compares the headers a message has with those a binding asks for: all, or any. */
public final class Headers {

    private Headers() {}

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.exchangeDeclare(ExchangeOptions.headers("documents"));
            bind(channel, "big reports", Map.of("x-match", "all", "type", "report", "size", "big"));
            bind(channel, "reports or urgent", Map.of("x-match", "any", "type", "report", "urgent", true));

            publish(channel, Map.of("type", "report", "size", "big"));
            publish(channel, Map.of("type", "report", "size", "small"));
            publish(channel, Map.of("type", "letter", "urgent", true));

            for (String queue : broker.vhost("/").queueNames()) {
                System.out.println(queue + ": " + broker.vhost("/").queue(queue).ready());
            }
        }
    }

    private static void bind(Channel channel, String queue, Map<String, ?> wanted) {
        channel.queueDeclare(QueueOptions.named(queue));
        channel.queueBind(queue, "documents", "", FieldTable.of(wanted));
    }

    private static void publish(Channel channel, Map<String, ?> headers) {
        Properties properties = Properties.builder().headers(headers).build();
        channel.publish("documents", "", properties, "a document".getBytes(UTF_8));
    }
}
