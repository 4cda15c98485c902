package io.warren.amqp.method;

import org.jspecify.annotations.Nullable;

/** Transactions of one channel. */
public sealed interface TxMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 90;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable TxMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> new Select();
            case 11 -> new SelectOk();
            case 20 -> new Commit();
            case 21 -> new CommitOk();
            case 30 -> new Rollback();
            case 31 -> new RollbackOk();
            default -> null;
        };
    }

    /** tx.select. Turns transactions on. */
    record Select() implements TxMethod {
        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** tx.select-ok. They are on. */
    record SelectOk() implements TxMethod {
        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** tx.commit. Makes what was said happen. */
    record Commit() implements TxMethod {
        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** tx.commit-ok. It has happened. */
    record CommitOk() implements TxMethod {
        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** tx.rollback. Forgets what was said. */
    record Rollback() implements TxMethod {
        @Override
        public int methodId() {
            return 30;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** tx.rollback-ok. It is forgotten. */
    record RollbackOk() implements TxMethod {
        @Override
        public int methodId() {
            return 31;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
