package io.warren.amqp.session;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Ways to log in. */
public enum SaslMechanism {
    /** {@code NUL user NUL password}, the one nearly every client uses. */
    PLAIN("PLAIN"),
    /** A field table with LOGIN and PASSWORD, older than PLAIN. */
    AMQPLAIN("AMQPLAIN"),
    /** The user is who the client's certificate says; offered to clients that have shown one. */
    EXTERNAL("EXTERNAL"),
    /** The user first; the password after a question, to show that a login can take two steps. */
    RABBIT_CR_DEMO("RABBIT-CR-DEMO");

    /** What {@link #RABBIT_CR_DEMO} asks, and how the answer begins. */
    static final String QUESTION = "Please tell me your password";

    private static final String ANSWER = "My password is ";

    private final String name;

    SaslMechanism(String name) {
        this.name = name;
    }

    /** The name on the wire. */
    public String mechanismName() {
        return name;
    }

    static @Nullable SaslMechanism named(String name) {
        for (SaslMechanism mechanism : values()) {
            if (mechanism.name.equals(name)) {
                return mechanism;
            }
        }
        return null;
    }

    /** A user and the password it gave. */
    record Login(String user, String password) {

        @Override
        public String toString() {
            return "Login[user=" + user + "]";
        }
    }

    /** {@code NUL user NUL password}; null if it is not that. */
    static @Nullable Login plain(ByteBuffer response) {
        String text = text(response);
        int second = text.indexOf('\0', 1);
        if (text.isEmpty() || text.charAt(0) != '\0' || second < 0) {
            return null;
        }
        return new Login(text.substring(1, second), text.substring(second + 1));
    }

    /** The fields LOGIN and PASSWORD; null if one is missing. */
    static @Nullable Login amqplain(FieldTable fields) {
        Object user = fields.get("LOGIN");
        Object password = fields.get("PASSWORD");
        return user instanceof String name && password instanceof String secret ? new Login(name, secret) : null;
    }

    /** The answer to the question; null if it does not begin as it has to. */
    static @Nullable String demoPassword(ByteBuffer response) {
        String text = text(response);
        return text.startsWith(ANSWER) ? text.substring(ANSWER.length()) : null;
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    static ByteBuffer bytes(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    /** 403 as RabbitMQ says it. */
    AmqpError refused() {
        return AmqpError.connection(
                ReplyCode.ACCESS_REFUSED,
                "Login was refused using authentication mechanism " + name + ". For details see the broker logfile.");
    }
}
