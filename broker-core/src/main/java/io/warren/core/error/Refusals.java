package io.warren.core.error;

/** RabbitMQ's refusals that more than one place says, with its words. */
public final class Refusals {

    private Refusals() {}

    public static AmqpError noQueue(String vhost, String name) {
        return AmqpError.channel(ReplyCode.NOT_FOUND, "no " + queue(vhost, name));
    }

    public static AmqpError noExchange(String vhost, String name) {
        return AmqpError.channel(ReplyCode.NOT_FOUND, "no " + exchange(vhost, name));
    }

    public static AmqpError queueInUse(String vhost, String name) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, queue(vhost, name) + " in use");
    }

    public static AmqpError exchangeInUse(String vhost, String name) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, exchange(vhost, name) + " in use");
    }

    public static AmqpError queueNotEmpty(String vhost, String name) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, queue(vhost, name) + " not empty");
    }

    /** A durable queue whose node does not run; it is there again when that node is. */
    public static AmqpError homeDown(String vhost, String name, String home) {
        return AmqpError.channel(
                ReplyCode.NOT_FOUND,
                "home node '" + home + "' of durable " + queue(vhost, name) + " is down or inaccessible");
    }

    /** A queue with an exclusive consumer, or an exclusive consumer for a queue with others. */
    public static AmqpError queueInExclusiveUse(String vhost, String name) {
        return AmqpError.channel(ReplyCode.ACCESS_REFUSED, queue(vhost, name) + " in exclusive use");
    }

    /** An exclusive queue used from another connection than its own. */
    public static AmqpError queueLocked(String vhost, String name) {
        return AmqpError.channel(
                ReplyCode.RESOURCE_LOCKED,
                "cannot obtain exclusive access to locked " + queue(vhost, name)
                        + ". It could be originally declared on another connection or the exclusive property value"
                        + " does not match that of the original declaration.");
    }

    private static String queue(String vhost, String name) {
        return "queue '" + name + "' in vhost '" + vhost + "'";
    }

    private static String exchange(String vhost, String name) {
        return "exchange '" + name + "' in vhost '" + vhost + "'";
    }
}
