package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.spi.QueueHomes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Direct reply-to: replies go to the channel that asked, without a queue between.
 *
 * <p>A channel consumes the pseudo-queue {@value #PSEUDO_QUEUE}; its requests then carry a reply-to of that name and a
 * token, and what is published to that name through the default exchange is delivered to it. If it is gone, the reply
 * is dropped. Thread-safe.
 */
final class DirectReplies {

    static final String PSEUDO_QUEUE = "amq.rabbitmq.reply-to";

    private static final String PREFIX = PSEUDO_QUEUE + ".";

    /** Parts the token from the node of the channel, where there is more than one. */
    private static final char AT = '@';

    private record Requester(ChannelProcess channel, String token, String consumerTag) {}

    private final Map<String, Requester> byToken = new ConcurrentHashMap<>();
    private final Map<ChannelProcess, Requester> byChannel = new ConcurrentHashMap<>();

    private final @Nullable QueueHomes homes;

    /** @param homes the cluster, or null */
    DirectReplies(@Nullable QueueHomes homes) {
        this.homes = homes;
    }

    /** Whether a queue of that name stands for direct replies. */
    static boolean isPseudoQueue(String name) {
        return name.startsWith(PSEUDO_QUEUE);
    }

    /**
     * Whether the pseudo-queue exists: the plain name always does, one with a token while its channel is there; of a channel at another
     * node no more is asked than that the node runs.
     */
    boolean exists(String name) {
        if (name.equals(PSEUDO_QUEUE)) {
            return true;
        }
        String token = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
        String node = elsewhere(token);
        return byToken.containsKey(token) || (homes != null && node != null && homes.isRunning(node));
    }

    /** The node a token names, if it is another one. */
    private @Nullable String elsewhere(String token) {
        int at = token.lastIndexOf(AT);
        return homes == null || at < 0 ? null : homes.elsewhere(token.substring(at + 1));
    }

    void add(ChannelProcess channel, String name, String consumerTag) {
        String token = homes == null ? name : name + AT + homes.here();
        Requester requester = new Requester(channel, token, consumerTag);
        byToken.put(token, requester);
        byChannel.put(channel, requester);
    }

    void remove(ChannelProcess channel) {
        Requester requester = byChannel.remove(channel);
        if (requester != null) {
            byToken.remove(requester.token);
        }
    }

    boolean isRequester(ChannelProcess channel) {
        return byChannel.containsKey(channel);
    }

    boolean hasConsumer(ChannelProcess channel, String consumerTag) {
        Requester requester = byChannel.get(channel);
        return requester != null && requester.consumerTag.equals(consumerTag);
    }

    /** The name replies to the channel's requests go to, or null if it consumes none. */
    @Nullable String replyTo(ChannelProcess channel) {
        Requester requester = byChannel.get(channel);
        return requester == null ? null : PREFIX + requester.token;
    }

    /** Delivers a message that is a reply; false if it is none. */
    boolean deliver(String vhost, Message message) {
        if (!message.exchange().isEmpty() || !message.routingKey().startsWith(PREFIX)) {
            return false;
        }
        String token = message.routingKey().substring(PREFIX.length());
        Requester requester = byToken.get(token);
        String node = requester == null ? elsewhere(token) : null;
        if (homes != null && node != null) {
            homes.reply(node, vhost, message);
        } else if (requester != null && requester.channel.connection().vhost().equals(vhost)) {
            requester.channel.replied(requester.consumerTag, message);
        }
        return true;
    }
}
