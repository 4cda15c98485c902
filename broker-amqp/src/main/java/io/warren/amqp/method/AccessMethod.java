package io.warren.amqp.method;

import org.jspecify.annotations.Nullable;

/** Access tickets, which are answered and mean nothing. */
public sealed interface AccessMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 30;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable AccessMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Request.read(in);
            case 11 -> RequestOk.read(in);
            default -> null;
        };
    }

    /** access.request. Asks for a ticket. */
    record Request(String realm, boolean exclusive, boolean passive, boolean active, boolean write, boolean read)
            implements AccessMethod {
        static Request read(FieldReader in) {
            return new Request(in.shortString(), in.bit(), in.bit(), in.bit(), in.bit(), in.bit());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(realm);
            out.bit(exclusive);
            out.bit(passive);
            out.bit(active);
            out.bit(write);
            out.bit(read);
        }
    }

    /** access.request-ok. The ticket. */
    record RequestOk(int ticket) implements AccessMethod {
        static RequestOk read(FieldReader in) {
            return new RequestOk(in.shortUint());
        }

        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(ticket);
        }
    }
}
