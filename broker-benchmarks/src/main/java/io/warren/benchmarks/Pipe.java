package io.warren.benchmarks;

import java.io.IOException;

/** A broker in this JVM with queues, consumers and one publisher: what a load is put on. */
interface Pipe extends AutoCloseable {

    /** How publishes reach queues. */
    enum Exchange {
        /** One queue, published to by its name. */
        DEFAULT,
        /** Every queue gets every message. */
        FANOUT,
        /** By {@link Pipe#bind}. */
        TOPIC
    }

    /**
     * What a pipe is made of.
     *
     * @param acknowledged publishes are confirmed, and deliveries acknowledged one by one with a prefetch of {@value
     *     #PREFETCH}; else neither
     * @param consumed whether each queue has a consumer
     */
    record Setup(Exchange exchange, int queues, boolean acknowledged, boolean consumed) {

        static final int PREFETCH = 500;

        static Setup oneQueue() {
            return new Setup(Exchange.DEFAULT, 1, false, true);
        }

        Setup withAcknowledgements() {
            return new Setup(exchange, queues, true, consumed);
        }

        Setup withoutConsumers() {
            return new Setup(exchange, queues, acknowledged, false);
        }
    }

    /** What comes back. Calls for one queue are serial, and so are those of {@link #onConfirmed}. */
    interface Listener {

        void onDelivered(int queue, int bodyBytes);

        /** A publish is confirmed; only if publishes are acknowledged. */
        void onConfirmed();
    }

    /** Makes a pipe that is ready to be published to. */
    @FunctionalInterface
    interface Factory {
        Pipe open(Setup setup, Listener listener) throws Exception;
    }

    /** Publishes a copy of the body; by one thread. */
    void publish(String routingKey, byte[] body) throws Exception;

    /** Binds a queue to the topic exchange. */
    void bind(int queue, String pattern) throws Exception;

    /** Messages in the first queue that are ready: every broker measured can be asked while it runs. */
    long depth() throws Exception;

    @Override
    void close() throws IOException;
}
