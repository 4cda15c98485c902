package io.warren.amqp.method;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How a channel is opened and ended. */
public sealed interface ChannelMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 20;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable ChannelMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Open.read(in);
            case 11 -> OpenOk.read(in);
            case 20 -> Flow.read(in);
            case 21 -> FlowOk.read(in);
            case 40 -> Close.read(in);
            case 41 -> new CloseOk();
            default -> null;
        };
    }

    /** channel.open. Opens the channel with this number. */
    record Open() implements ChannelMethod {
        static Open read(FieldReader in) {
            in.shortString();
            return new Open();
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString("");
        }
    }

    /** channel.open-ok. It is open. */
    record OpenOk() implements ChannelMethod {
        static OpenOk read(FieldReader in) {
            in.longString();
            return new OpenOk();
        }

        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {
            out.longString(ByteBuffer.allocate(0));
        }
    }

    /** channel.flow. Stops deliveries or lets them go on. */
    record Flow(boolean active) implements ChannelMethod {
        static Flow read(FieldReader in) {
            return new Flow(in.bit());
        }

        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {
            out.bit(active);
        }
    }

    /** channel.flow-ok. Answers that. */
    record FlowOk(boolean active) implements ChannelMethod {
        static FlowOk read(FieldReader in) {
            return new FlowOk(in.bit());
        }

        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {
            out.bit(active);
        }
    }

    /** channel.close. The end of the channel, and why. */
    record Close(int replyCode, String replyText, int failedClassId, int failedMethodId) implements ChannelMethod {
        static Close read(FieldReader in) {
            return new Close(in.shortUint(), in.shortString(), in.shortUint(), in.shortUint());
        }

        @Override
        public int methodId() {
            return 40;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(replyCode);
            out.shortString(replyText);
            out.shortUint(failedClassId);
            out.shortUint(failedMethodId);
        }
    }

    /** channel.close-ok. The end is seen. */
    record CloseOk() implements ChannelMethod {
        @Override
        public int methodId() {
            return 41;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
