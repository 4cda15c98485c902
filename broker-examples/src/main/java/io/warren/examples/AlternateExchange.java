package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;

/** What an exchange cannot route goes to its alternate exchange, key and all, in place of nowhere. */
public final class AlternateExchange {

    private AlternateExchange() {}

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.exchangeDeclare(ExchangeOptions.fanout("unrouted"));
            channel.exchangeDeclare(ExchangeOptions.direct("orders").alternateExchange("unrouted"));
            channel.queueDeclare(QueueOptions.named("books"));
            channel.queueDeclare(QueueOptions.named("lost and found"));
            channel.queueBind("books", "orders", "book");
            channel.queueBind("lost and found", "unrouted", "");

            channel.publish("orders", "book", "one book".getBytes(UTF_8));
            channel.publish("orders", "bok", "one book, misspelt".getBytes(UTF_8));

            System.out.println("books: " + channel.get("books", true).text());
            System.out.println(
                    "lost and found: " + channel.get("lost and found", true).text());
        }
    }
}
