package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.examples.log.LogLines;
import io.warren.examples.log.QueueTally;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A real log routed by topic into queues, with retries through a delay: a table of what went where, and how fast. */
public final class Log {

    private static final Duration RETRY_DELAY = Duration.ofMillis(50);

    private Log() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> lines = LogLines.read(arguments.length == 0 ? null : arguments[0]);
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            connection.openChannel().exchangeDeclare(ExchangeOptions.topic("log"));
            List<QueueTally> tallies = new ArrayList<>();
            tallies.add(consume(connection, "archive", "#"));
            tallies.add(consume(connection, "unfinished", "status.half-installed.#", "status.half-configured.#"));
            tallies.add(consume(connection, "upgrades", "upgrade.#"));
            tallies.add(consume(connection, "triggers", "trigproc.#", "status.triggers-awaited.#"));
            tallies.add(consume(connection, "perl", "#.perl:amd64", "#.perl-base:amd64"));
            long startNs = System.nanoTime();
            publish(connection.openChannel(), lines);
            System.out.println(QueueTally.HEADER);
            for (QueueTally tally : tallies) {
                System.out.println(tally.awaitEnd());
            }
            System.out.printf("%d lines in %.1f s%n", lines.size(), (System.nanoTime() - startNs) / 1e9);
        }
    }

    private static void publish(Channel channel, List<String> lines) {
        channel.confirmSelect();
        for (String line : lines) {
            channel.publish("log", LogLines.routingKey(line), line.getBytes(UTF_8));
        }
        channel.publish("log", QueueTally.END, QueueTally.END.getBytes(UTF_8));
        channel.waitForConfirms(Duration.ofSeconds(30));
    }

    /** A queue, the queue in which what failed waits for its second try, and a consumer. */
    private static QueueTally consume(Connection connection, String queue, String... patterns) {
        Channel channel = connection.openChannel();
        String later = queue + ".later";
        channel.queueDeclare(QueueOptions.named(later)
                .messageTtl(RETRY_DELAY)
                .deadLetterExchange("")
                .deadLetterRoutingKey(queue));
        channel.queueDeclare(QueueOptions.named(queue).deadLetterExchange("").deadLetterRoutingKey(later));
        Stream.concat(Stream.of(QueueTally.END), Stream.of(patterns))
                .forEach(pattern -> channel.queueBind(queue, "log", pattern));
        QueueTally tally = new QueueTally(queue);
        channel.qos(100);
        channel.consume(queue, delivery -> {
            boolean isFirstTry = !delivery.properties().headersOrEmpty().has("x-death");
            // A package that is half there is looked at once more a moment later.
            if (isFirstTry && queue.equals("unfinished") && !delivery.text().equals(QueueTally.END)) {
                delivery.nack(false);
                tally.onFailure();
            } else {
                tally.onLine(delivery.text(), isFirstTry);
                delivery.ack();
            }
        });
        return tally;
    }
}
