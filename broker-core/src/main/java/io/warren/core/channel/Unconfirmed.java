package io.warren.core.channel;

import org.jspecify.annotations.Nullable;

/** The publishes of a channel that not every queue they went to has answered. */
final class Unconfirmed {

    /** What the last answer made of a publish. */
    enum Outcome {
        /** Other queues have not answered, or the publish was decided before. */
        OPEN,
        /** Every queue has it safe. */
        CONFIRMED,
        /** A queue refused it; the others' answers no longer count. */
        REJECTED
    }

    /** Most publishes go to one queue: these share one object. */
    private final Answers one = new Answers(1);

    private final SequenceMap<Answers> open = new SequenceMap<>();

    void add(long sequence, int queueCount) {
        open.put(sequence, queueCount == 1 ? one : new Answers(queueCount));
    }

    Outcome confirmed(long sequence) {
        Answers answers = open.get(sequence);
        if (answers == null) {
            return Outcome.OPEN;
        }
        if (answers != one && --answers.missing > 0) {
            return Outcome.OPEN;
        }
        open.remove(sequence);
        return Outcome.CONFIRMED;
    }

    Outcome rejected(long sequence) {
        @Nullable Answers answers = open.remove(sequence);
        return answers == null ? Outcome.OPEN : Outcome.REJECTED;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    int size() {
        return open.size();
    }

    private static final class Answers {

        int missing;

        Answers(int missing) {
            this.missing = missing;
        }
    }
}
