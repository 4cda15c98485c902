package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How a connection is made, tuned, held and ended. */
public sealed interface ConnectionMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 10;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable ConnectionMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Start.read(in);
            case 11 -> StartOk.read(in);
            case 20 -> Secure.read(in);
            case 21 -> SecureOk.read(in);
            case 30 -> Tune.read(in);
            case 31 -> TuneOk.read(in);
            case 40 -> Open.read(in);
            case 41 -> OpenOk.read(in);
            case 50 -> Close.read(in);
            case 51 -> new CloseOk();
            case 60 -> Blocked.read(in);
            case 61 -> new Unblocked();
            case 70 -> UpdateSecret.read(in);
            case 71 -> new UpdateSecretOk();
            default -> null;
        };
    }

    /** connection.start. The broker introduces itself. */
    record Start(
            int versionMajor, int versionMinor, FieldTable serverProperties, ByteBuffer mechanisms, ByteBuffer locales)
            implements ConnectionMethod {
        static Start read(FieldReader in) {
            return new Start(in.octet(), in.octet(), in.table(), in.longString(), in.longString());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.octet(versionMajor);
            out.octet(versionMinor);
            out.table(serverProperties);
            out.longString(mechanisms);
            out.longString(locales);
        }
    }

    /** connection.start-ok. The client introduces itself and logs in. */
    record StartOk(FieldTable clientProperties, String mechanism, ByteBuffer response, String locale)
            implements ConnectionMethod {
        static StartOk read(FieldReader in) {
            return new StartOk(in.table(), in.shortString(), in.longString(), in.shortString());
        }

        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {
            out.table(clientProperties);
            out.shortString(mechanism);
            out.longString(response);
            out.shortString(locale);
        }
    }

    /** connection.secure. A further question of the login. */
    record Secure(ByteBuffer challenge) implements ConnectionMethod {
        static Secure read(FieldReader in) {
            return new Secure(in.longString());
        }

        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {
            out.longString(challenge);
        }
    }

    /** connection.secure-ok. The answer to it. */
    record SecureOk(ByteBuffer response) implements ConnectionMethod {
        static SecureOk read(FieldReader in) {
            return new SecureOk(in.longString());
        }

        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {
            out.longString(response);
        }
    }

    /** connection.tune. Limits the broker proposes. */
    record Tune(int channelMax, long frameMax, int heartbeatSeconds) implements ConnectionMethod {
        static Tune read(FieldReader in) {
            return new Tune(in.shortUint(), in.longUint(), in.shortUint());
        }

        @Override
        public int methodId() {
            return 30;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(channelMax);
            out.longUint(frameMax);
            out.shortUint(heartbeatSeconds);
        }
    }

    /** connection.tune-ok. Limits the client agrees to. */
    record TuneOk(int channelMax, long frameMax, int heartbeatSeconds) implements ConnectionMethod {
        static TuneOk read(FieldReader in) {
            return new TuneOk(in.shortUint(), in.longUint(), in.shortUint());
        }

        @Override
        public int methodId() {
            return 31;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(channelMax);
            out.longUint(frameMax);
            out.shortUint(heartbeatSeconds);
        }
    }

    /** connection.open. The client chooses its virtual host. */
    record Open(String virtualHost) implements ConnectionMethod {
        static Open read(FieldReader in) {
            Open read = new Open(in.shortString());
            in.shortString();
            in.bit();
            return read;
        }

        @Override
        public int methodId() {
            return 40;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(virtualHost);
            out.shortString("");
            out.bit(false);
        }
    }

    /** connection.open-ok. The connection is open. */
    record OpenOk() implements ConnectionMethod {
        static OpenOk read(FieldReader in) {
            in.shortString();
            return new OpenOk();
        }

        @Override
        public int methodId() {
            return 41;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString("");
        }
    }

    /** connection.close. The end, and why. */
    record Close(int replyCode, String replyText, int failedClassId, int failedMethodId) implements ConnectionMethod {
        static Close read(FieldReader in) {
            return new Close(in.shortUint(), in.shortString(), in.shortUint(), in.shortUint());
        }

        @Override
        public int methodId() {
            return 50;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(replyCode);
            out.shortString(replyText);
            out.shortUint(failedClassId);
            out.shortUint(failedMethodId);
        }
    }

    /** connection.close-ok. The end is seen. */
    record CloseOk() implements ConnectionMethod {
        @Override
        public int methodId() {
            return 51;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** connection.blocked. Publishers are held back. */
    record Blocked(String reason) implements ConnectionMethod {
        static Blocked read(FieldReader in) {
            return new Blocked(in.shortString());
        }

        @Override
        public int methodId() {
            return 60;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(reason);
        }
    }

    /** connection.unblocked. Publishers may go on. */
    record Unblocked() implements ConnectionMethod {
        @Override
        public int methodId() {
            return 61;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** connection.update-secret. A new password or token for the connection. */
    record UpdateSecret(ByteBuffer newSecret, String reason) implements ConnectionMethod {
        static UpdateSecret read(FieldReader in) {
            return new UpdateSecret(in.longString(), in.shortString());
        }

        @Override
        public int methodId() {
            return 70;
        }

        @Override
        public void write(FieldWriter out) {
            out.longString(newSecret);
            out.shortString(reason);
        }
    }

    /** connection.update-secret-ok. It is taken. */
    record UpdateSecretOk() implements ConnectionMethod {
        @Override
        public int methodId() {
            return 71;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
