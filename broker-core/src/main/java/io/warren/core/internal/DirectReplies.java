package io.warren.core.internal;

import io.warren.core.message.Message;
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

    private record Requester(ChannelProcess channel, String token, String consumerTag) {}

    private final Map<String, Requester> byToken = new ConcurrentHashMap<>();
    private final Map<ChannelProcess, Requester> byChannel = new ConcurrentHashMap<>();

    /** Whether a queue of that name stands for direct replies. */
    static boolean isPseudoQueue(String name) {
        return name.startsWith(PSEUDO_QUEUE);
    }

    /** Whether the pseudo-queue exists: the plain name always does, one with a token while its channel is there. */
    boolean exists(String name) {
        return name.equals(PSEUDO_QUEUE)
                || (name.startsWith(PREFIX) && byToken.containsKey(name.substring(PREFIX.length())));
    }

    void add(ChannelProcess channel, String token, String consumerTag) {
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
        Requester requester = byToken.get(message.routingKey().substring(PREFIX.length()));
        if (requester != null && requester.channel.connection().vhost().equals(vhost)) {
            requester.channel.replied(requester.consumerTag, message);
        }
        return true;
    }
}
