package io.warren.mirroring.link.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import io.warren.mirroring.ring.Member;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Dials one address: again and again for a node that is kept, once for an address that is sought. Owned by the links' thread.
 *
 * <p>Limit: one attempt at a time, with {@link RedialPauses} between two.
 */
final class Dial<P> {
    private final TcpLinks<P> links;
    private final @Nullable String node;
    private final String address;

    private final RedialPauses pauses;
    private boolean dialling;
    private boolean ended;
    private @Nullable Channel channel;
    private @Nullable Future<?> timer;
    /** A process that was linked, was listening here, and is not known to be dead. */
    private @Nullable Member lost;

    /** @param node whom to find there; null: whoever there is, once */
    Dial(TcpLinks<P> links, @Nullable String node, String address) {
        this.links = links;
        this.node = node;
        this.address = address;
        pauses = new RedialPauses(links.settings().redialMax());
    }

    @Nullable String node() {
        return node;
    }

    String address() {
        return address;
    }

    /** Dials, unless it does so already or there is a link. */
    void dial() {
        if (ended || dialling || (node != null && links.isLinked(node))) {
            return;
        }
        stopTimer();
        dialling = true;
        ChannelFuture connecting = links.connect(this);
        channel = connecting.channel();
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                onNoConnection(connected.cause());
            }
        });
    }

    private void onNoConnection(Throwable cause) {
        if (isRefused(cause) && lost != null) {
            Member dead = lost;
            lost = null;
            links.onDead(dead);
        }
        onFailed(Reason.of(cause));
    }

    /** Whether the machine answered that nobody listens there; a timeout is an exception of the same kind. */
    private static boolean isRefused(@Nullable Throwable cause) {
        return cause instanceof ConnectException
                && cause.getMessage() != null
                && cause.getMessage().startsWith("Connection refused");
    }

    /** This attempt did not lead to a link. */
    void onFailed(String why) {
        dialling = false;
        channel = null;
        if (ended) {
            return;
        }
        if (node == null) {
            ended = true;
            links.onUnreached(address, why);
            return;
        }
        dialAfter(pauses.afterAttempt());
    }

    private void dialAfter(long pauseMs) {
        stopTimer();
        timer = links.loop().schedule(this::dial, pauseMs, TimeUnit.MILLISECONDS);
    }

    /** There is a link with the node, whoever dialled. */
    void onLinked() {
        dialling = false;
        channel = null;
        lost = null;
        stopTimer();
    }

    /** The link is gone; what the process listened on tells whether it is dead. */
    void onDown(TcpLink<P> link) {
        if (link.address().equals(address)) {
            lost = link.peer();
        }
        long pauseMs = pauses.afterLink(link.lasted());
        if (pauseMs == 0) {
            dial();
        } else if (!ended && !dialling) {
            dialAfter(pauseMs);
        }
    }

    void end() {
        ended = true;
        stopTimer();
        if (channel != null) {
            var unused = channel.close();
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
