package io.warren.amqp.session;

import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.session.SaslMechanism.Login;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.spi.Sessions;
import java.nio.ByteBuffer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way from the protocol header to connection.open: start, login, tune.
 *
 * <p>Each method answers with the error that ends the connection, or null. Owned by its connection.
 */
final class Handshake {

    enum Step {
        /** connection.start was sent. */
        STARTED,
        /** connection.secure was sent. */
        CHALLENGED,
        /** The user is known; connection.tune was sent. */
        TUNING,
        /** Limits are agreed on; the virtual host is to be named. */
        OPENING
    }

    private final SessionSettings settings;
    private final Sessions sessions;
    private final Peer peer;
    private final FieldTableReader tables;
    private final SessionOutput output;
    private Step step = Step.STARTED;
    private FieldTable clientProperties = FieldTable.EMPTY;
    private ClientCapabilities capabilities = ClientCapabilities.NONE;
    private @Nullable SaslMechanism mechanism;
    private @Nullable String certificateUser;
    private String user = "";
    private @Nullable Tuning tuning;
    private boolean loginRefused;

    Handshake(SessionSettings settings, Sessions sessions, Peer peer, FieldTableReader tables, SessionOutput output) {
        this.settings = settings;
        this.sessions = sessions;
        this.peer = peer;
        this.tables = tables;
        this.output = output;
    }

    void start(@Nullable String provenUser) {
        certificateUser = provenUser;
        String mechanisms = settings.mechanisms().stream()
                .filter(offered -> offered != SaslMechanism.EXTERNAL || provenUser != null)
                .map(SaslMechanism::mechanismName)
                .collect(Collectors.joining(" "));
        output.method(
                0,
                new ConnectionMethod.Start(
                        0,
                        9,
                        settings.identity().serverProperties(),
                        SaslMechanism.bytes(mechanisms),
                        SaslMechanism.bytes("en_US")));
    }

    /** A method before the connection is open, connection.open apart. */
    @Nullable AmqpError onMethod(ConnectionMethod method) {
        if (step == Step.STARTED && method instanceof ConnectionMethod.StartOk startOk) {
            return onStartOk(startOk);
        }
        if (step == Step.CHALLENGED && method instanceof ConnectionMethod.SecureOk secureOk) {
            return onSecureOk(secureOk.response());
        }
        if (step == Step.TUNING && method instanceof ConnectionMethod.TuneOk tuneOk) {
            return onTuneOk(tuneOk);
        }
        return AmqpError.connection(
                ReplyCode.CHANNEL_ERROR,
                "unexpected method in connection state "
                        + switch (step) {
                            case STARTED -> "starting";
                            case CHALLENGED -> "securing";
                            case TUNING -> "tuning";
                            case OPENING -> "opening";
                        });
    }

    private @Nullable AmqpError onStartOk(ConnectionMethod.StartOk startOk) {
        clientProperties = startOk.clientProperties();
        capabilities = ClientCapabilities.of(clientProperties);
        SaslMechanism chosen = SaslMechanism.named(startOk.mechanism());
        if (chosen == null || !settings.mechanisms().contains(chosen)) {
            return AmqpError.connection(
                    ReplyCode.COMMAND_INVALID,
                    (chosen == null ? "unknown" : "invalid") + " authentication mechanism '" + startOk.mechanism()
                            + "'");
        }
        mechanism = chosen;
        return switch (chosen) {
            case PLAIN -> login(chosen, SaslMechanism.plain(startOk.response()), startOk.response());
            case AMQPLAIN -> login(chosen, SaslMechanism.amqplain(tables.read(startOk.response())), startOk.response());
            case EXTERNAL -> loginByCertificate();
            case RABBIT_CR_DEMO -> challenge(SaslMechanism.text(startOk.response()));
        };
    }

    private @Nullable AmqpError challenge(String userName) {
        user = userName;
        step = Step.CHALLENGED;
        output.method(0, new ConnectionMethod.Secure(SaslMechanism.bytes(SaslMechanism.QUESTION)));
        return null;
    }

    private @Nullable AmqpError onSecureOk(ByteBuffer response) {
        String password = SaslMechanism.demoPassword(response);
        return login(SaslMechanism.RABBIT_CR_DEMO, password == null ? null : new Login(user, password), response);
    }

    private @Nullable AmqpError login(SaslMechanism chosen, @Nullable Login login, ByteBuffer response) {
        if (login == null) {
            return AmqpError.connection(
                    ReplyCode.SYNTAX_ERROR,
                    chosen.mechanismName() + " response of " + response.remaining() + " bytes is invalid");
        }
        return loggedIn(chosen, login.user(), sessions.authenticate(login.user(), login.password()) == null);
    }

    private @Nullable AmqpError loginByCertificate() {
        String name = certificateUser;
        return name == null
                ? loggedIn(SaslMechanism.EXTERNAL, "", false)
                : loggedIn(SaslMechanism.EXTERNAL, name, sessions.exists(name));
    }

    private @Nullable AmqpError loggedIn(SaslMechanism chosen, String name, boolean isProven) {
        boolean isAllowedHere = peer.isLocal() || !settings.loopbackUsers().contains(name);
        if (!isProven || !isAllowedHere) {
            loginRefused = true;
            return chosen.refused();
        }
        user = name;
        step = Step.TUNING;
        output.method(0, Tuning.proposal(settings));
        return null;
    }

    private @Nullable AmqpError onTuneOk(ConnectionMethod.TuneOk tuneOk) {
        AmqpError refusal = Tuning.refusal(tuneOk, settings);
        if (refusal != null) {
            return refusal;
        }
        Tuning agreed = Tuning.of(tuneOk);
        tuning = agreed;
        step = Step.OPENING;
        output.tuned(agreed.frameBytesMax(), agreed.heartbeatSeconds());
        return null;
    }

    /** The limits once connection.open may come, else null. */
    @Nullable Tuning tuning() {
        return tuning;
    }

    String user() {
        return user;
    }

    FieldTable clientProperties() {
        return clientProperties;
    }

    ClientCapabilities capabilities() {
        return capabilities;
    }

    /** Whether the error was a refused login, which only some clients are told. */
    boolean isLoginRefused() {
        return loginRefused;
    }

    /** Whether somebody has proved who it is. */
    boolean isLoggedIn() {
        return step == Step.TUNING || step == Step.OPENING;
    }

    @Nullable SaslMechanism mechanism() {
        return mechanism;
    }
}
