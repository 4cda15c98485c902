package io.warren.test.contract;

/** What a broker tells a publisher about its messages. */
public sealed interface PublisherEvent {

    /** The broker took responsibility for the publish with this number, the first being 1. */
    record Ack(long number) implements PublisherEvent {}

    /** The broker refused the publish with this number. */
    record Nack(long number) implements PublisherEvent {}

    /** A mandatory message found no queue. */
    record Return(int code, String text, String exchange, String routingKey, String body) implements PublisherEvent {}

    /** The event's short form for comparisons: {@code ack 1}. */
    static PublisherEvent ack(long number) {
        return new Ack(number);
    }

    /** The event's short form for comparisons: {@code nack 1}. */
    static PublisherEvent nack(long number) {
        return new Nack(number);
    }

    /** The return of an unroutable message, which always carries 312. */
    static PublisherEvent noRoute(String exchange, String routingKey, String body) {
        return new Return(312, "NO_ROUTE", exchange, routingKey, body);
    }
}
