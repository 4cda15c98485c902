package io.warren.amqp.session;

import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;
import io.warren.core.error.AmqpError;
import io.warren.core.error.AmqpException;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Properties;
import io.warren.core.spi.ClientOrigin;
import io.warren.core.spi.ConnectionReceiver;
import io.warren.core.spi.ConnectionSession;
import io.warren.core.spi.Sessions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP connection from connection.start to its end.
 *
 * <p>Owned by the thread that reads it: every {@code onX} comes from there, one at a time; so do the events of the
 * {@link Inbox}. Invariants: a frame for a channel that is not open ends the connection; after a connection.close
 * from here nothing is looked at but its answer; the broker's session is closed exactly once.
 */
public final class AmqpConnection {

    private static final String PROTOCOL = "AMQP 0-9-1";

    private enum Phase {
        /** Not yet open. */
        HANDSHAKE,
        /** Open. */
        RUNNING,
        /** A connection.close was sent; its answer is awaited. */
        CLOSING,
        /** Nothing more is said or heard. */
        CLOSED
    }

    private final SessionSettings settings;
    private final Sessions sessions;
    private final Peer peer;
    private final SessionOutput output;
    private final Inbox inbox;
    private final Handshake handshake;
    private final Map<Integer, AmqpChannel> channels = new HashMap<>();
    private final List<AmqpChannel> unflushed = new ArrayList<>();
    private final PublisherPause pause;
    private Phase phase = Phase.HANDSHAKE;
    private @Nullable ConnectionSession session;
    private boolean sessionClosed;

    /** Ids of the method that is being carried out: what an error that comes of it names. */
    private int classId;

    private int methodId;

    public AmqpConnection(
            SessionSettings settings,
            Sessions sessions,
            Peer peer,
            FieldTableReader tables,
            SessionOutput output,
            Inbox inbox) {
        this.settings = settings;
        this.sessions = sessions;
        this.peer = peer;
        this.output = output;
        this.inbox = inbox;
        this.handshake = new Handshake(settings, sessions, peer, tables, output);
        this.pause = new PublisherPause(output);
    }

    SessionSettings settings() {
        return settings;
    }

    SessionOutput output() {
        return output;
    }

    Inbox inbox() {
        return inbox;
    }

    PublisherPause pause() {
        return pause;
    }

    ClientCapabilities capabilities() {
        return handshake.capabilities();
    }

    /** Whether connection.open has succeeded and the connection has not ended. */
    public boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    /** Whether what the client sends has to wait. */
    public boolean isPaused() {
        return pause.isPaused() && phase == Phase.RUNNING;
    }

    // ---- what the client sends

    /**
     * The protocol header came and is ours.
     *
     * @param certificateUser the user that a certificate of the client proves it to be, or null
     */
    public void onStart(@Nullable String certificateUser) {
        handshake.start(certificateUser);
    }

    public void onMethod(int channel, Method method) {
        switch (phase) {
            case HANDSHAKE -> onHandshake(channel, method);
            case RUNNING -> {
                classId = method.classId();
                methodId = method.methodId();
                if (channel == 0) {
                    onConnectionMethod(method);
                } else {
                    onChannelMethod(channel, method);
                }
            }
            case CLOSING -> onClosing(channel, method);
            case CLOSED -> {}
        }
    }

    private void onHandshake(int channel, Method method) {
        if (channel != 0 || !(method instanceof ConnectionMethod connectionMethod)) {
            fail(AmqpError.connection(ReplyCode.CHANNEL_ERROR, "unexpected method before the connection is open"));
            return;
        }
        classId = method.classId();
        methodId = method.methodId();
        Tuning tuning = handshake.tuning();
        if (method instanceof ConnectionMethod.Close) {
            end(new ConnectionMethod.CloseOk());
        } else if (tuning != null && method instanceof ConnectionMethod.Open open) {
            onOpen(open.virtualHost());
        } else {
            AmqpError error = handshake.onMethod(connectionMethod);
            if (error != null) {
                refuseHandshake(error);
            }
        }
    }

    private void refuseHandshake(AmqpError error) {
        if (!handshake.isLoginRefused()) {
            fail(error);
            return;
        }
        // The specification has a failed login end in silence; clients that say so are told.
        phase = Phase.CLOSED;
        if (handshake.capabilities().authenticationFailureClose()) {
            output.method(0, new ConnectionMethod.Close(error.code().code(), error.text(), 0, 0));
        }
        output.close();
    }

    private void onOpen(String vhost) {
        try {
            session = sessions.open(peer.name(), handshake.user(), vhost, origin(), new Events());
        } catch (AmqpException refused) {
            fail(refused.error());
            return;
        }
        phase = Phase.RUNNING;
        output.method(0, new ConnectionMethod.OpenOk());
    }

    private ClientOrigin origin() {
        return new ClientOrigin(
                PROTOCOL,
                peer.host(),
                peer.port(),
                peer.ownHost(),
                peer.ownPort(),
                peer.isTls(),
                handshake.clientProperties());
    }

    private void onConnectionMethod(Method method) {
        if (method instanceof ConnectionMethod.Close) {
            endOnRequest();
        } else if (method instanceof ConnectionMethod.UpdateSecret) {
            // Passwords do not expire here: nothing to renew.
            output.method(0, new ConnectionMethod.UpdateSecretOk());
        } else {
            fail(AmqpError.connection(ReplyCode.CHANNEL_ERROR, "unexpected method in connection state running"));
        }
    }

    private void onChannelMethod(int number, Method method) {
        AmqpChannel channel = channels.get(number);
        if (channel != null) {
            channel.onMethod(method);
        } else if (method instanceof ChannelMethod.Open) {
            openChannel(number);
        } else {
            failNotOpen();
        }
    }

    private void openChannel(int number) {
        Tuning tuning = handshake.tuning();
        ConnectionSession open = session;
        if (tuning == null || open == null) {
            return;
        }
        if (channels.size() >= tuning.channelCountMax()) {
            fail(AmqpError.connection(
                    ReplyCode.NOT_ALLOWED,
                    "number of channels opened (" + channels.size() + ") has reached the negotiated channel_max ("
                            + tuning.channelCountMax() + ")"));
            return;
        }
        AmqpChannel channel = new AmqpChannel(number, this, open);
        channels.put(number, channel);
        output.method(number, new ChannelMethod.OpenOk());
    }

    private void failNotOpen() {
        fail(AmqpError.connection(ReplyCode.CHANNEL_ERROR, "expected 'channel.open'"));
    }

    /** Whether a content header is due on that channel. */
    public boolean awaitsHeader(int number) {
        AmqpChannel channel = channels.get(number);
        return phase == Phase.RUNNING && channel != null && channel.awaitsHeader();
    }

    /** A content header where none is due. */
    public void onUnexpectedHeader(int number) {
        AmqpChannel channel = openChannelFor(number);
        if (channel != null) {
            channel.onUnexpectedHeader();
        }
    }

    public void onHeader(int number, int contentClassId, long bodyBytes, Properties properties) {
        AmqpChannel channel = openChannelFor(number);
        if (channel != null) {
            channel.onHeader(contentClassId, bodyBytes, properties);
        }
    }

    /** A part of a body; the array is the session's. */
    public void onBody(int number, byte[] part) {
        AmqpChannel channel = openChannelFor(number);
        if (channel != null) {
            channel.onBody(part);
        }
    }

    private @Nullable AmqpChannel openChannelFor(int number) {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return null;
        }
        AmqpChannel channel = channels.get(number);
        if (channel == null) {
            fail(AmqpError.connection(
                    ReplyCode.UNEXPECTED_FRAME, "expected method frame, got non method frame instead"));
        }
        return channel;
    }

    /** The bytes made no sense. */
    public void onMalformed(AmqpError error) {
        if (phase == Phase.HANDSHAKE || phase == Phase.RUNNING) {
            fail(error);
        } else {
            output.close();
        }
    }

    /** The transport is gone. */
    public void onDisconnected() {
        phase = Phase.CLOSED;
        closeSession(() -> {});
    }

    /** All that came together has been carried out: what can be said in one method for many is said now. */
    public void onBatchEnd() {
        for (int i = 0; i < unflushed.size(); i++) {
            unflushed.get(i).flushConfirms();
        }
        unflushed.clear();
    }

    void needsFlush(AmqpChannel channel) {
        unflushed.add(channel);
    }

    // ---- the end

    /** The client's mistake, or an operator's wish: closes the connection. */
    void fail(AmqpError error) {
        fail(error, classId, methodId);
    }

    private void fail(AmqpError error, int failedClassId, int failedMethodId) {
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            return;
        }
        phase = Phase.CLOSING;
        pause.end();
        closeSession(() -> {});
        output.method(0, new ConnectionMethod.Close(error.code().code(), error.text(), failedClassId, failedMethodId));
        output.closing();
    }

    /** The server ends: says why and awaits the answer. */
    public void onShutdown(AmqpError reason) {
        fail(reason, 0, 0);
    }

    private void endOnRequest() {
        phase = Phase.CLOSED;
        pause.end();
        closeSession(() -> inbox.post(() -> end(new ConnectionMethod.CloseOk())));
    }

    /**
     * The last word of both. The client ends the transport: what it sent before it reads the answer, of channels that it
     * does not wait for, is read and dropped. An end from here would be a reset to it, in place of the answer.
     */
    private void end(ConnectionMethod last) {
        phase = Phase.CLOSED;
        output.method(0, last);
        output.closing();
    }

    private void onClosing(int channel, Method method) {
        if (channel != 0) {
            return;
        }
        if (method instanceof ConnectionMethod.CloseOk) {
            phase = Phase.CLOSED;
            output.close();
        } else if (method instanceof ConnectionMethod.Close) {
            end(new ConnectionMethod.CloseOk());
        }
    }

    private void closeSession(Runnable answer) {
        ConnectionSession open = session;
        if (open == null || sessionClosed) {
            answer.run();
            return;
        }
        sessionClosed = true;
        channels.values().forEach(AmqpChannel::onConnectionEnded);
        channels.clear();
        unflushed.clear();
        open.close(answer);
    }

    void forget(int number) {
        channels.remove(number);
    }

    /** What the broker says unasked; on any thread. */
    private final class Events implements ConnectionReceiver {

        @Override
        public void onClosed(AmqpError reason) {
            boolean isOperators = reason.code() == ReplyCode.CONNECTION_FORCED;
            int failedClassId = isOperators ? 0 : classId;
            int failedMethodId = isOperators ? 0 : methodId;
            inbox.post(() -> fail(reason, failedClassId, failedMethodId));
        }

        @Override
        public void onBlocked(String reason) {
            inbox.post(() -> pause.onAlarm(reason, handshake.capabilities().connectionBlocked()));
        }

        @Override
        public void onUnblocked() {
            inbox.post(pause::onAlarmOver);
        }
    }
}
