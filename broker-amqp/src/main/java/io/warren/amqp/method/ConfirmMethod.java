package io.warren.amqp.method;

import org.jspecify.annotations.Nullable;

/** Confirms of publishes. */
public sealed interface ConfirmMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 85;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable ConfirmMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Select.read(in);
            case 11 -> new SelectOk();
            default -> null;
        };
    }

    /** confirm.select. Turns confirms on. */
    record Select(boolean noWait) implements ConfirmMethod {
        static Select read(FieldReader in) {
            return new Select(in.bit());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.bit(noWait);
        }
    }

    /** confirm.select-ok. They are on. */
    record SelectOk() implements ConfirmMethod {
        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
