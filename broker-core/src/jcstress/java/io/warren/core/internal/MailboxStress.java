package io.warren.core.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a mailbox promises under the hardware's own schedule: each entry once, alone, seen by the next, in order. */
public final class MailboxStress {

    private MailboxStress() {}

    /** Entries change a plain field: a lost, doubled or unseen change shows in the sum. */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "every entry ran once, alone, and saw the one before")
    @Outcome(expect = FORBIDDEN, desc = "an entry was lost, ran twice, beside another, or saw an old value")
    @State
    public static class EachOnceAndAlone {

        private final Mailbox mailbox =
                new Mailbox(new InlineRunner(Runnable::run), failure -> {
                    throw new IllegalStateException(failure);
                });
        private int sum;

        @Actor
        public void one() {
            mailbox.post(() -> sum++);
            mailbox.post(() -> sum++);
        }

        @Actor
        public void two() {
            mailbox.post(() -> sum++);
            mailbox.post(() -> {
                sum++;
                mailbox.post(() -> sum++);
            });
            mailbox.post(() -> sum++);
        }

        @Arbiter
        public void afterwards(I_Result result) {
            result.r1 = sum;
        }
    }

    /** Two entries of one thread, with another thread between. */
    @JCStressTest
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "one thread's entries ran in its order, the other's ran")
    @Outcome(expect = FORBIDDEN, desc = "one thread's entries changed places, or one was lost")
    @State
    public static class OrderOfOneThread {

        private final Mailbox mailbox =
                new Mailbox(new InlineRunner(Runnable::run), failure -> {
                    throw new IllegalStateException(failure);
                });
        private int lastOfFirst;
        private int ofSecond;

        @Actor
        public void first() {
            mailbox.post(() -> lastOfFirst = 1);
            mailbox.post(() -> lastOfFirst = lastOfFirst == 1 ? 2 : -1);
        }

        @Actor
        public void second() {
            mailbox.post(() -> ofSecond++);
        }

        @Arbiter
        public void afterwards(II_Result result) {
            result.r1 = lastOfFirst;
            result.r2 = ofSecond;
        }
    }

    /** Between two mailboxes that post to each other no mailbox is left with an entry that nobody runs. */
    @JCStressTest
    @Outcome(id = "4", expect = ACCEPTABLE, desc = "both ran what the other posted")
    @Outcome(expect = FORBIDDEN, desc = "a mailbox was left with an entry")
    @State
    public static class NothingLeftBehind {

        private final InlineRunner runner = new InlineRunner(Runnable::run);
        private final Mailbox left = new Mailbox(runner, failure -> {
            throw new IllegalStateException(failure);
        });
        private final Mailbox right = new Mailbox(runner, failure -> {
            throw new IllegalStateException(failure);
        });
        private int ranLeft;
        private int ranRight;

        @Actor
        public void fromLeft() {
            left.post(() -> {
                ranLeft++;
                right.post(() -> ranRight++);
            });
        }

        @Actor
        public void fromRight() {
            right.post(() -> {
                ranRight++;
                left.post(() -> ranLeft++);
            });
        }

        @Arbiter
        public void afterwards(I_Result result) {
            result.r1 = ranLeft + ranRight;
        }
    }
}
