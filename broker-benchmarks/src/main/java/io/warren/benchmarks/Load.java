package io.warren.benchmarks;

/** What a publisher publishes. */
@FunctionalInterface
interface Load {

    /** Publishes one more message and says how many queues get it. */
    int publishNext(Pipe pipe) throws Exception;

    /** The same body again and again. */
    static Load of(int bodyBytes, int queues) {
        byte[] body = new byte[bodyBytes];
        return pipe -> {
            pipe.publish("", body);
            return queues;
        };
    }
}
