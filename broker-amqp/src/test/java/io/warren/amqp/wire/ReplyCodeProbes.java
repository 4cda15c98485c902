package io.warren.amqp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConfirmMethod;
import io.warren.amqp.method.ExchangeMethod;
import io.warren.amqp.method.Method;
import io.warren.amqp.method.QueueMethod;
import io.warren.amqp.method.TxMethod;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the probes of the list do, by name. They find queues {@code pe.q} (with a consumer), {@code pe.full} (with a
 * message), {@code pe.busy} (with an exclusive consumer) and {@code pe.ex} (another connection's), and exchanges {@code
 * pe.x} (with a binding) and {@code pe.int} (internal).
 */
final class ReplyCodeProbes {

    /** What one probe does on channel 1. */
    interface Probe {
        void run(WireClient client) throws IOException;
    }

    private final Map<String, Probe> probes = new LinkedHashMap<>();

    ReplyCodeProbes() {
        declarations();
        bindings();
        deletions();
        consuming();
        publishing();
        acknowledging();
        modes();
        arguments();
        rest();
    }

    Map<String, Probe> byName() {
        return probes;
    }

    private void probe(String name, Method... methods) {
        probes.put(name, client -> {
            for (Method method : methods) {
                client.send(1, method);
            }
        });
    }

    /** Brings about what the probes find; on a connection that stays open. */
    static void prepare(WireClient client) throws IOException {
        client.send(1, new ConfirmMethod.Select(false));
        client.send(1, queue("pe.q", false, true, false, FieldTable.EMPTY));
        client.send(1, queue("pe.full", false, true, false, FieldTable.EMPTY));
        client.send(1, queue("pe.busy", false, true, false, FieldTable.EMPTY));
        client.send(1, new QueueMethod.Declare("pe.ex", false, false, true, false, false, FieldTable.EMPTY));
        client.send(1, exchange("pe.x", "direct", false, false));
        client.send(1, exchange("pe.int", "fanout", false, true));
        client.send(1, new QueueMethod.Bind("pe.q", "pe.x", "k", false, FieldTable.EMPTY));
        client.send(1, consume("pe.q", "c1", false, FieldTable.EMPTY));
        client.send(1, consume("pe.busy", "c2", true, FieldTable.EMPTY));
        client.publish(new BasicMethod.Publish("", "pe.full", false, false), Properties.NONE, new byte[] {1});
        client.await(BasicMethod.Ack.class);
    }

    /** Takes it away again. */
    static void cleanUp(WireClient client) throws IOException {
        for (String name : List.of("pe.q", "pe.full", "pe.busy", "pe.ex")) {
            client.send(1, new QueueMethod.Delete(name, false, false, false));
        }
        client.send(1, new ExchangeMethod.Delete("pe.x", false, false));
        client.send(1, new ExchangeMethod.Delete("pe.int", false, false));
        client.await(ExchangeMethod.DeleteOk.class);
        client.await(ExchangeMethod.DeleteOk.class);
    }

    // ---- methods with what most probes leave alone

    private static QueueMethod.Declare queue(
            String name, boolean passive, boolean durable, boolean autoDelete, FieldTable arguments) {
        return new QueueMethod.Declare(name, passive, durable, false, autoDelete, false, arguments);
    }

    /** A queue the broker names, which goes with its connection. */
    private static QueueMethod.Declare with(String argument, Object value) {
        return new QueueMethod.Declare("", false, false, true, false, false, FieldTable.of(argument, value));
    }

    private static ExchangeMethod.Declare exchange(String name, String type, boolean passive, boolean internal) {
        return new ExchangeMethod.Declare(name, type, passive, false, false, internal, false, FieldTable.EMPTY);
    }

    private static BasicMethod.Consume consume(String queue, String tag, boolean exclusive, FieldTable arguments) {
        return new BasicMethod.Consume(queue, tag, false, false, exclusive, false, arguments);
    }

    private static Probe publishing(String exchange, Properties properties) {
        return client ->
                client.publish(new BasicMethod.Publish(exchange, "pe.q", false, false), properties, new byte[] {1});
    }

    // ---- the probes

    private void declarations() {
        probe("passive declare of missing queue", queue("nope", true, false, false, FieldTable.EMPTY));
        probe("passive declare of missing exchange", exchange("nope", "direct", true, false));
        probe("redeclare queue, other durable", queue("pe.q", false, false, false, FieldTable.EMPTY));
        probe("redeclare queue, other auto_delete", queue("pe.q", false, true, true, FieldTable.EMPTY));
        probe(
                "redeclare queue, other x-message-ttl",
                queue("pe.q", false, true, false, FieldTable.of("x-message-ttl", 5)));
        probe("redeclare exchange, other type", exchange("pe.x", "topic", false, false));
        probe("unknown exchange type", exchange("pe.new", "zz", false, false));
        probe("declare amq.foo queue", queue("amq.foo", false, false, false, FieldTable.EMPTY));
        probe("declare amq.foo exchange", exchange("amq.foo", "direct", false, false));
        probe("declare default exchange", exchange("", "direct", false, false));
        probe(
                "exclusive queue from other connection: declare",
                new QueueMethod.Declare("pe.ex", false, false, true, false, false, FieldTable.EMPTY));
        probe("exclusive queue from other connection: get", new BasicMethod.Get("pe.ex", true));
        probe(
                "declare amq.rabbitmq.reply-to passive",
                queue("amq.rabbitmq.reply-to", true, false, false, FieldTable.EMPTY));
        probes.put("queue name of 256 via channel", ReplyCodeProbes::longName);
    }

    /** As a client writes it that does not check: the low byte of 256, which is 0, and then the bytes. */
    private static void longName(WireClient client) throws IOException {
        ByteBuf payload =
                Unpooled.buffer().writeShort(50).writeShort(10).writeShort(0).writeByte(0);
        for (int i = 0; i < 256; i++) {
            payload.writeByte('a');
        }
        payload.writeByte(0).writeInt(0);
        ByteBuf frame = Unpooled.buffer()
                .writeByte(1)
                .writeShort(1)
                .writeInt(payload.readableBytes())
                .writeBytes(payload)
                .writeByte(0xce);
        client.raw(frame);
    }

    private void bindings() {
        probe("bind to default exchange", new QueueMethod.Bind("pe.q", "", "k", false, FieldTable.EMPTY));
        probe("unbind from default exchange", new QueueMethod.Unbind("pe.q", "", "pe.q", FieldTable.EMPTY));
        probe("bind missing queue", new QueueMethod.Bind("nope", "pe.x", "k", false, FieldTable.EMPTY));
        probe("bind missing exchange", new QueueMethod.Bind("pe.q", "nope", "k", false, FieldTable.EMPTY));
        probe("unbind missing binding", new QueueMethod.Unbind("pe.q", "pe.x", "nope", FieldTable.EMPTY));
        probe("exchange.bind missing source", new ExchangeMethod.Bind("pe.x", "nope", "k", false, FieldTable.EMPTY));
        probe(
                "bind headers x-match=zz",
                new QueueMethod.Bind("pe.q", "amq.headers", "", false, FieldTable.of("x-match", "zz")));
    }

    private void deletions() {
        probe("delete amq.direct", new ExchangeMethod.Delete("amq.direct", false, false));
        probe("delete missing queue", new QueueMethod.Delete("nope", false, false, false));
        probe("delete missing exchange", new ExchangeMethod.Delete("nope", false, false));
        probe("purge missing queue", new QueueMethod.Purge("nope", false));
        probe("delete queue if_empty, not empty", new QueueMethod.Delete("pe.full", false, true, false));
        probe("delete queue if_unused, in use", new QueueMethod.Delete("pe.busy", true, false, false));
        probe("delete exchange if_unused, in use", new ExchangeMethod.Delete("pe.x", true, false));
    }

    private void consuming() {
        probe("get from missing queue", new BasicMethod.Get("nope", true));
        probe("consume missing queue", consume("nope", "", false, FieldTable.EMPTY));
        probe("consume queue with exclusive consumer", consume("pe.busy", "", false, FieldTable.EMPTY));
        probe("exclusive consume of used queue", consume("pe.q", "", true, FieldTable.EMPTY));
        probe(
                "duplicate consumer tag (raw)",
                consume("pe.q", "dup", false, FieldTable.EMPTY),
                consume("pe.q", "dup", false, FieldTable.EMPTY));
        probe("consume x-priority=\"a\"", consume("pe.q", "", false, FieldTable.of("x-priority", "a")));
        probe("reply-to consume with ack", consume("amq.rabbitmq.reply-to", "", false, FieldTable.EMPTY));
        probe("cancel unknown tag", new BasicMethod.Cancel("nope", false));
    }

    private void publishing() {
        probes.put("publish to missing exchange", publishing("nope", Properties.NONE));
        probes.put("publish to internal exchange", publishing("pe.int", Properties.NONE));
        probes.put(
                "publish with wrong user_id",
                publishing("", Properties.builder().userId("bob").build()));
        probes.put(
                "publish with expiration \"abc\"",
                publishing("", Properties.builder().expiration("abc").build()));
        probes.put(
                "publish with expiration \"-1\"",
                publishing("", Properties.builder().expiration("-1").build()));
        probes.put(
                "publish with CC header not an array",
                publishing(
                        "",
                        Properties.builder().headers(FieldTable.of("CC", "k")).build()));
        probes.put(
                "reply-to publish without consumer",
                publishing(
                        "",
                        Properties.builder().replyTo("amq.rabbitmq.reply-to").build()));
        probes.put(
                "publish immediate",
                client -> client.publish(
                        new BasicMethod.Publish("", "pe.q", false, true), Properties.NONE, new byte[] {1}));
    }

    private void acknowledging() {
        probe("ack unknown tag", new BasicMethod.Ack(42, false));
        probe("nack unknown tag", new BasicMethod.Nack(42, false, true));
        probe("reject unknown tag", new BasicMethod.Reject(42, true));
        probe("ack 0 multiple with nothing unacked", new BasicMethod.Ack(0, true));
        probe("recover requeue=false", new BasicMethod.Recover(false));
        probe("qos prefetch_size=1", new BasicMethod.Qos(1, 0, false));
    }

    private void modes() {
        probe("tx.commit without select", new TxMethod.Commit());
        probe("confirm.select after tx.select", new TxMethod.Select(), new ConfirmMethod.Select(false));
        probe("tx.select after confirm.select", new ConfirmMethod.Select(false), new TxMethod.Select());
    }

    private void arguments() {
        probe("declare queue x-message-ttl=-1", with("x-message-ttl", -1));
        probe("declare queue x-message-ttl='5'", with("x-message-ttl", "5"));
        probe("declare queue x-expires=0", with("x-expires", 0));
        probe("declare queue x-max-length=-1", with("x-max-length", -1));
        probe("declare queue x-max-priority=256", with("x-max-priority", 256));
        probe("declare queue x-max-priority=-1", with("x-max-priority", -1));
        probe("declare queue x-dead-letter-exchange=5", with("x-dead-letter-exchange", 5));
        probe("declare queue x-overflow='zz'", with("x-overflow", "zz"));
        probe("declare queue x-queue-type='zz'", with("x-queue-type", "zz"));
        probe("declare queue x-queue-mode='zz'", with("x-queue-mode", "zz"));
        probe("declare queue x-single-active-consumer='yes'", with("x-single-active-consumer", "yes"));
        probe("declare queue x-unknown=1", with("x-unknown", 1));
        probe("declare queue x-dead-letter-routing-key without DLX", with("x-dead-letter-routing-key", "k"));
    }

    private void rest() {
        probe("channel.open twice", new ChannelMethod.Open());
        probe("channel.flow active=false", new ChannelMethod.Flow(false));
    }
}
