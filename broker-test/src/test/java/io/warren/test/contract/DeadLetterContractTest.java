package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.fanout;
import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where messages go when they die, and what is written into them. */
@Row("B3")
final class DeadLetterContractTest {

    /** The entry without its time, which no test knows beforehand. */
    private static Map<String, Object> withoutTime(Map<String, Object> death) {
        var rest = new HashMap<>(death);
        assertThat(rest.remove("time")).isInstanceOf(Instant.class);
        return rest;
    }

    private static Map<String, Object> death(
            long count, String reason, String queue, String exchange, String... routingKeys) {
        return Map.of(
                "count", count,
                "reason", reason,
                "queue", queue,
                "exchange", exchange,
                "routing-keys", List.of(routingKeys));
    }

    private static void reject(ClientChannel channel, String queue) {
        channel.reject(channel.get(queue).tag(), false);
    }

    @Contract
    @Case("DL-01")
    void shouldDescribeDeathWhenMessageIsRejected(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.exchangeDeclare(fanout("dlx"));
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterExchange("dlx"));
        channel.queueBind("q", "x", "key");
        channel.queueBind("dead", "dlx", "");
        broker.publish("x", "key", MessageProperties.none().header("own", 1), "1");

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.text()).isEqualTo("1");
        assertThat(dead.exchange()).isEqualTo("dlx");
        assertThat(dead.routingKey()).isEqualTo("key");
        assertThat(dead.isRedelivered()).isFalse();
        assertThat(dead.properties().deaths()).hasSize(1);
        assertThat(withoutTime(dead.properties().deaths().get(0))).isEqualTo(death(1, "rejected", "q", "x", "key"));
        var headers = new HashMap<>(dead.properties().headers());
        headers.remove("x-death");
        assertThat(headers)
                .isEqualTo(Map.of(
                        "own", 1,
                        "x-first-death-reason", "rejected",
                        "x-first-death-queue", "q",
                        "x-first-death-exchange", "x"));
    }

    @Contract
    void shouldUseQueuesKeyWhenItHasOne(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("dlx"));
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterExchange("dlx").deadLetterRoutingKey("buried"));
        channel.queueBind("dead", "dlx", "buried");
        broker.send("q", "1");

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.routingKey()).isEqualTo("buried");
        assertThat(withoutTime(dead.properties().deaths().get(0))).isEqualTo(death(1, "rejected", "q", "", "q"));
    }

    @Contract
    void shouldKeepEveryPropertyButExpirationWhenMessageDies(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        var properties = MessageProperties.persistent()
                .contentType("text/plain")
                .priority(3)
                .correlationId("c")
                .messageId("m")
                .timestamp(Instant.ofEpochSecond(1_700_000_000L))
                .type("t")
                .appId("a");
        broker.publish("", "q", properties, "1");

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.properties().headers(null)).isEqualTo(properties);
    }

    @Contract
    @Case("DL-02")
    void shouldGoOnCountingWhenClientPublishesDeadMessageAgain(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.send("q", "1");
        reject(channel, "q");
        Delivery first = channel.awaitMessage("dead");

        broker.publish("", "q", first.properties(), "2");
        reject(channel, "q");

        Delivery second = channel.awaitMessage("dead");
        assertThat(second.properties().deaths()).hasSize(1);
        assertThat(second.properties().deaths().get(0))
                .containsEntry("count", 2L)
                .containsEntry("reason", "rejected");
    }

    @Contract
    @Case("DL-03")
    void shouldMergeDeathsMostRecentFirstWhenMessageGoesRound(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("wait").messageTtl(0).deadLetterTo("work"));
        channel.queueDeclare(queue("work").deadLetterTo("wait"));
        broker.send("work", "1");
        var consumer = channel.consume("work");

        Delivery delivery = consumer.next();
        for (int round = 0; round < 50; round++) {
            channel.reject(delivery.tag(), false);
            delivery = consumer.next();
        }

        var deaths = delivery.properties().deaths();
        assertThat(deaths).hasSize(2);
        assertThat(withoutTime(deaths.get(0))).isEqualTo(death(50, "expired", "wait", "", "wait"));
        assertThat(withoutTime(deaths.get(1))).isEqualTo(death(50, "rejected", "work", "", "work"));
        assertThat(delivery.properties().header("x-first-death-queue")).isEqualTo("work");
        assertThat(delivery.properties().header("x-first-death-reason")).isEqualTo("rejected");
    }

    @Contract
    @Case("DL-03")
    void shouldKeepFirstTimeAndKeysWhenDeathRepeats(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x"));
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        channel.queueBind("q", "x", "#");
        broker.publish("x", "first.key", MessageProperties.none(), "1");
        reject(channel, "q");
        Delivery first = channel.awaitMessage("dead");

        broker.advanceMillis(1_000);
        broker.publish("x", "second.key", first.properties(), "1");
        reject(channel, "q");

        Delivery second = channel.awaitMessage("dead");
        var expected = new HashMap<>(first.properties().deaths().get(0));
        expected.put("count", 2L);
        assertThat(second.properties().deaths()).containsExactly(expected);
    }

    /**
     * Documents promise the most recent death first, which holds for the first entry only: RabbitMQ turns the others round at each
     * death, and programs that read the second entry depend on it.
     */
    @Contract
    @Case("DL-03")
    void shouldTurnEarlierDeathsRoundWhenThereAreSeveral(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q5"));
        for (int number = 4; number >= 1; number--) {
            channel.queueDeclare(queue("q" + number).deadLetterTo("q" + (number + 1)));
        }
        broker.send("q1", "1");

        var orders = new ArrayList<List<Object>>();
        for (int number = 1; number <= 5; number++) {
            channel.awaitReady("q" + number, 1);
            Delivery delivery = channel.get("q" + number);
            orders.add(queuesOf(delivery));
            channel.reject(delivery.tag(), false);
        }

        assertThat(orders)
                .containsExactly(
                        List.of(),
                        List.of("q1"),
                        List.of("q2", "q1"),
                        List.of("q3", "q1", "q2"),
                        List.of("q4", "q2", "q1", "q3"));
    }

    private static List<Object> queuesOf(Delivery delivery) {
        return delivery.properties().deaths().stream()
                .map(death -> death.get("queue"))
                .toList();
    }

    @Contract
    @Case("DL-02")
    @Case("DL-09")
    void shouldGroupDeathsByQueueAndReasonWhenClientSentThemTwice(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        List<Map<String, Object>> sent = List.of(
                Map.of("queue", "a", "reason", "expired", "count", 4L, "n", 1),
                Map.of("queue", "a", "reason", "expired", "count", 5L, "n", 2),
                Map.of("queue", "q", "reason", "rejected", "n", 3),
                Map.of("queue", "q", "reason", "rejected", "n", 4));
        broker.publish("", "q", MessageProperties.none().header("x-death", sent), "1");

        reject(channel, "q");

        assertThat(channel.awaitMessage("dead").properties().deaths())
                .containsExactly(
                        Map.of("queue", "q", "reason", "rejected", "count", 3L, "n", 3),
                        Map.of("queue", "a", "reason", "expired", "count", 4L, "n", 1));
    }

    @Contract
    @Case("DL-04")
    void shouldDropWhenMessageWouldReturnToQueueWithoutRejection(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").messageTtl(0).deadLetterTo("q"));
        broker.send("q", "1");

        channel.settle("q");
        var consumer = channel.consume(ConsumeSpec.from("q").noAck());
        broker.send("q", "2");

        assertThat(consumer.next().text()).isEqualTo("2");
    }

    @Contract
    @Case("DL-04")
    void shouldDropOnlyTheRepeatedDestinationWhenCycleIsAutomatic(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("dlx"));
        channel.queueDeclare(queue("other"));
        channel.queueDeclare(queue("q").messageTtl(50).deadLetterExchange("dlx"));
        channel.queueBind("q", "dlx", "");
        channel.queueBind("other", "dlx", "");
        broker.send("q", "1");

        broker.advanceMillis(60);
        Delivery first = channel.awaitMessage("other");
        broker.advanceMillis(100);

        assertThat(withoutTime(first.properties().deaths().get(0))).isEqualTo(death(1, "expired", "q", "", "q"));
        assertThat(channel.ready("q")).isZero();
        assertThat(channel.drain("other")).isEmpty();
    }

    @Contract
    @Case("DL-04")
    void shouldEndWhenTwoQueuesExpireIntoEachOther(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("one").messageTtl(50).deadLetterTo("two"));
        channel.queueDeclare(queue("two").messageTtl(50).deadLetterTo("one"));
        broker.send("one", "1");

        broker.advanceMillis(60);
        channel.awaitReady("one", 0);
        broker.advanceMillis(60);
        channel.awaitReady("two", 0);
        broker.advanceMillis(60);

        assertThat(channel.ready("one")).isZero();
        assertThat(channel.ready("two")).isZero();
    }

    @Contract
    @Case("DL-06")
    void shouldRemoveExpirationWhenMessageExpires(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.publish("", "q", MessageProperties.none().expiration("50"), "1");

        broker.advanceMillis(60);
        channel.awaitReady("dead", 1);
        broker.advanceMillis(100);

        Delivery dead = channel.get("dead");
        assertThat(dead.properties().expiration()).isNull();
        var expected = new HashMap<>(death(1, "expired", "q", "", "q"));
        expected.put("original-expiration", "50");
        assertThat(withoutTime(dead.properties().deaths().get(0))).isEqualTo(expected);
    }

    @Contract
    @Case("DL-06")
    void shouldRemoveExpirationWhenMessageIsRejected(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.publish("", "q", MessageProperties.none().expiration("600000"), "1");

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.properties().expiration()).isNull();
        assertThat(dead.properties().deaths().get(0)).containsEntry("original-expiration", "600000");
    }

    @Contract
    @Case("DL-09")
    void shouldCountOnWhenCountCameBackAsOtherInteger(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));

        for (Object count : new Object[] {5, 5L, (short) 5, (byte) 5}) {
            var death = new HashMap<>(death(1, "rejected", "q", "", "q"));
            death.put("count", count);
            broker.publish("", "q", MessageProperties.none().header("x-death", List.of(death)), "1");
            reject(channel, "q");

            Delivery dead = channel.awaitMessage("dead");
            assertThat(dead.properties().deaths()).hasSize(1);
            assertThat(dead.properties().deaths().get(0)).containsEntry("count", 6L);
        }
    }

    @Contract
    @Case("DL-09")
    void shouldReplaceWhatClientSentAsDeathsWhenItIsNoArray(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));

        for (Object deaths : new Object[] {"text", 5, List.of()}) {
            broker.publish("", "q", MessageProperties.none().header("x-death", deaths), "1");
            reject(channel, "q");

            Delivery dead = channel.awaitMessage("dead");
            assertThat(dead.properties().deaths()).hasSize(1);
            assertThat(withoutTime(dead.properties().deaths().get(0))).isEqualTo(death(1, "rejected", "q", "", "q"));
            assertThat(dead.properties().headers()).containsOnlyKeys("x-death");
        }
    }

    @Contract
    @Case("DL-09")
    void shouldKeepForeignTablesWhenClientSentThemAsDeaths(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        List<Map<String, Object>> foreign = List.of(
                Map.of("count", "five"), Map.of("count", 3L, "queue", "other", "reason", "expired", "own", true));
        broker.publish("", "q", MessageProperties.none().header("x-death", foreign), "1");

        reject(channel, "q");

        var deaths = channel.awaitMessage("dead").properties().deaths();
        assertThat(withoutTime(deaths.get(0))).isEqualTo(death(1, "rejected", "q", "", "q"));
        assertThat(deaths.subList(1, deaths.size())).containsExactlyInAnyOrderElementsOf(foreign);
    }

    @Contract
    @Case("DL-09")
    void shouldCountOnWithinIncompleteDeathWhenQueueAndReasonAgree(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        Map<String, Object> known = Map.of("queue", "q", "reason", "rejected", "count", 1L);
        broker.publish("", "q", MessageProperties.none().header("x-death", List.of(known)), "1");

        reject(channel, "q");

        assertThat(channel.awaitMessage("dead").properties().deaths())
                .containsExactly(Map.of("queue", "q", "reason", "rejected", "count", 2L));
    }

    @Contract(notOnReference = "RabbitMQ 3.10.8 loses the message: its queue process crashes on such an x-death")
    @Case("DL-09")
    void shouldSurviveWhenClientSentNonsenseAsDeaths(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        var countAsText = Map.of("queue", "q", "reason", "rejected", "count", "1");

        for (Object deaths : new Object[] {List.of("text"), List.of(countAsText)}) {
            broker.publish("", "q", MessageProperties.none().header("x-death", deaths), "1");
            reject(channel, "q");

            assertThat(channel.awaitMessage("dead").properties().deaths().get(0))
                    .containsEntry("queue", "q")
                    .containsEntry("reason", "rejected");
        }
    }

    @Contract
    @Case("DL-10")
    @Row("B1")
    @Row("B4")
    void shouldBeginTimeAnewWhenNextQueueHasOne(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("third"));
        channel.queueDeclare(queue("second").messageTtl(400).deadLetterTo("third"));
        channel.queueDeclare(queue("first").messageTtl(400).deadLetterTo("second"));
        var sent = Instant.ofEpochSecond(1_600_000_000L);
        broker.publish("", "first", MessageProperties.none().timestamp(sent), "1");

        broker.advanceMillis(410);
        channel.awaitReady("second", 1);
        long earlyInThird = channel.ready("third");
        broker.advanceMillis(410);

        Delivery arrived = channel.awaitMessage("third");
        assertThat(earlyInThird).isZero();
        assertThat(arrived.properties().timestamp()).isEqualTo(sent);
        assertThat(arrived.properties().deaths())
                .extracting(death -> death.get("queue"))
                .containsExactly("second", "first");
    }

    @Contract
    @Case("DL-11")
    void shouldNotDeadLetterWhenQueueIsPurgedOrDeleted(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        for (String name : new String[] {"purged", "deleted"}) {
            channel.queueDeclare(queue(name).deadLetterTo("dead"));
            broker.send(name, "1", "2");
        }
        channel.queueDeclare(queue("last").autoDelete().deadLetterTo("dead"));
        broker.send("last", "1");
        channel.qos(1);

        channel.queuePurge("purged");
        channel.queueDelete("deleted");
        channel.cancel(channel.consume("last").consumerTag());
        channel.settle("purged", "dead");

        assertThat(channel.ready("dead")).isZero();
    }

    @Contract
    @Case("DL-11")
    @Row("B2")
    void shouldNotDeadLetterWhenQueueExpires(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").argument("x-expires", 50).deadLetterTo("dead"));
        broker.send("q", "1");

        broker.advanceMillis(150);

        assertThat(channel.ready("dead")).isZero();
        assertThat(channel.refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(QueueContractTest.noQueue(broker, "q"));
    }

    @Contract
    @Case("DL-12")
    @Row("B5")
    void shouldDropWhenTargetRefusesMore(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead").argument("x-max-length", 2).argument("x-overflow", "reject-publish"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.send("q", "1", "2", "3");

        reject(channel, "q");
        reject(channel, "q");
        channel.awaitReady("dead", 2);
        reject(channel, "q");
        channel.settle("q", "dead");

        assertThat(channel.ready("q")).isZero();
        assertThat(channel.drain("dead")).containsExactly("1", "2");
    }

    @Contract
    @Case("DL-13")
    void shouldDropUntilExchangeExists(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").deadLetterExchange("later"));
        channel.queueDeclare(queue("dead"));
        broker.send("q", "1", "2", "3");

        reject(channel, "q");
        channel.exchangeDeclare(fanout("later"));
        reject(channel, "q");
        channel.settle("q");
        channel.queueBind("dead", "later", "");
        reject(channel, "q");

        assertThat(channel.awaitMessage("dead").text()).isEqualTo("3");
        assertThat(channel.ready("q")).isZero();
    }

    @Contract
    @Case("DL-13")
    @Row("A5")
    void shouldRefuseDeclarationWhenKeyComesWithoutExchange(Deployment broker) {
        Closure refusal =
                broker.channel().refused(it -> it.queueDeclare(queue("q").deadLetterRoutingKey("k")));

        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-dead-letter-routing-key' for queue 'q' in vhost '"
                                + broker.vhost() + "': routing_key_but_no_dlx_defined"));
    }

    @Contract
    @Row("B5")
    void shouldNameLimitAsReasonWhenMessageIsPushedOut(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").argument("x-max-length", 1).deadLetterTo("dead"));

        broker.send("q", "1", "2");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.text()).isEqualTo("1");
        assertThat(withoutTime(dead.properties().deaths().get(0))).isEqualTo(death(1, "maxlen", "q", "", "q"));
    }

    @Contract
    void shouldDeadLetterInOrderWhenSeveralAreRejectedAtOnce(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.send("q", "1", "2", "3");
        channel.get("q");
        channel.get("q");
        Delivery last = channel.get("q");

        channel.nack(last.tag(), true, false);
        channel.awaitReady("dead", 3);

        assertThat(channel.drain("dead")).containsExactly("1", "2", "3");
    }

    @Contract
    @Row("A13")
    void shouldNameFurtherKeysWhenMessageHadThem(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.exchangeDeclare(fanout("dlx"));
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterExchange("dlx"));
        channel.queueBind("q", "x", "copy");
        channel.queueBind("dead", "dlx", "");
        var properties = MessageProperties.none().header("CC", List.of("copy")).header("BCC", List.of("blind"));
        broker.publish("x", "key", properties, "1");

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.routingKey()).isEqualTo("key");
        assertThat(dead.properties().header("CC")).isEqualTo(List.of("copy"));
        assertThat(dead.properties().deaths().get(0)).containsEntry("routing-keys", List.of("key", "copy"));
    }

    @Contract
    @Row("A13")
    void shouldForgetFurtherKeysWhenQueueHasDeadLetterKey(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("copy"));
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.publish("", "q", MessageProperties.none().header("CC", List.of("copy")), "1");
        channel.get("copy", true);

        reject(channel, "q");

        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.properties().header("CC")).isNull();
        assertThat(channel.get("copy", true)).isEmpty();
    }

    @Contract
    void shouldKeepFirstDeathWhenMessageDiesElsewhere(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("third"));
        channel.queueDeclare(queue("second").deadLetterTo("third"));
        channel.queueDeclare(queue("first").deadLetterTo("second"));
        broker.send("first", "1");

        reject(channel, "first");
        channel.awaitReady("second", 1);
        reject(channel, "second");

        Delivery dead = channel.awaitMessage("third");
        assertThat(dead.properties().header("x-first-death-queue")).isEqualTo("first");
        assertThat(dead.properties().deaths().stream()
                        .map(DeadLetterContractTest::withoutTime)
                        .toList())
                .containsExactly(
                        death(1, "rejected", "second", "", "second"), death(1, "rejected", "first", "", "first"));
    }

    @Contract
    void shouldWriteDeathsIntoOneCopyOnlyWhenMessageIsInSeveralQueues(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("x"));
        channel.queueDeclare(queue("dead"));
        for (String name : new String[] {"a", "b"}) {
            channel.queueDeclare(queue(name).deadLetterTo("dead"));
            channel.queueBind(name, "x", "");
        }
        channel.queueDeclare(queue("c"));
        channel.queueBind("c", "x", "");
        broker.publish("x", "k", MessageProperties.none().header("own", 1), "1");

        reject(channel, "a");
        Delivery fromA = channel.awaitMessage("dead");
        reject(channel, "b");
        Delivery fromB = channel.awaitMessage("dead");

        assertThat(queuesOf(fromA)).containsExactly("a");
        assertThat(queuesOf(fromB)).containsExactly("b");
        assertThat(channel.get("c").properties().headers()).containsOnlyKeys("own");
    }

    @Contract
    @Case("DL-04")
    void shouldReturnToItsQueueWhenRejectedAndSentThereAgain(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").deadLetterTo("q"));
        broker.send("q", "1");

        for (int round = 1; round <= 3; round++) {
            channel.awaitReady("q", 1);
            reject(channel, "q");
        }

        Delivery again = channel.awaitMessage("q");
        assertThat(again.properties().deaths()).hasSize(1);
        assertThat(again.properties().deaths().get(0)).containsEntry("count", 3L);
    }

    @Contract
    @Row("A4")
    void shouldUseAlternateWhenDeadLetterExchangeCannotRoute(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("alternate"));
        channel.exchangeDeclare(direct("dlx").alternate("alternate"));
        channel.queueDeclare(queue("spare"));
        channel.queueBind("spare", "alternate", "");
        channel.queueDeclare(queue("q").deadLetterExchange("dlx"));
        broker.send("q", "1");

        reject(channel, "q");

        assertThat(channel.awaitMessage("spare").exchange()).isEqualTo("dlx");
    }

    @Contract
    @Row("A7")
    void shouldNotDeadLetterWhenRequeuedOrChannelCloses(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.send("q", "1", "2");

        channel.nack(channel.get("q").tag(), false, true);
        channel.get("q");
        channel.close();

        var other = broker.channel();
        other.awaitReady("q", 2);
        assertThat(other.ready("dead")).isZero();
        assertThat(other.get("q").properties().headers()).isNull();
    }

    @Contract
    @Row("A11")
    void shouldReturnNothingWhenMandatoryMessageDiesUnroutable(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").deadLetterTo("nowhere"));
        channel.publishMandatory("", "q", "1");

        reject(channel, "q");
        channel.settle("q");

        assertThat(channel.publisherEvents().soFar()).isEmpty();
        assertThat(channel.ready("q")).isZero();
    }
}
