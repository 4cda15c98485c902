package io.warren.mirroring.mailbox;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of one owner, which takes all that wait at once: a turn.
 *
 * <p>A stack that its owner turns round, so that a post is one exchange and the owner's share one more, however many waited. Whoever
 * finds it idle has the executor run a turn; there is never more than one. Unbounded by itself: what is posted is bounded by
 * credit and by windows.
 *
 * @param <O> the owner
 */
public final class Mailbox<O> {

    /** One input; it is its own link in the stack, so it is posted once. */
    public abstract static class Input<O> {
        private @Nullable Input<O> next;

        /** Takes it in; called by the owner's turn. */
        public abstract void run(O owner);
    }

    /** Takes a turn's inputs: the first, and what comes {@link #after} each. */
    @FunctionalInterface
    public interface Turn<O> {
        void run(@Nullable Input<O> first);
    }

    /** The bottom of the stack while a turn is under way: whoever posts on top of it need not wake anybody. */
    private static final class Busy<O> extends Input<O> {
        @Override
        public void run(O owner) {
            throw new IllegalStateException("not an input");
        }
    }

    private final Busy<O> busy = new Busy<>();
    private final AtomicReference<@Nullable Input<O>> top = new AtomicReference<>();
    private final Executor executor;
    private final Turn<O> turn;
    private final int inputsMax;
    private final Runnable run = this::run;

    /** Owned by the turn: what is left of what was taken, oldest first. */
    private @Nullable Input<O> rest;

    /**
     * An empty mailbox.
     *
     * @param executor runs turns; not in the call that asks for one
     * @param inputsMax inputs of one turn at most. What is left gets a turn of its own, so that whoever waits for what comes of the first can
     *     begin with it
     */
    public Mailbox(Executor executor, int inputsMax, Turn<O> turn) {
        this.executor = executor;
        this.inputsMax = inputsMax;
        this.turn = turn;
    }

    /** Adds an input, in order of the calls. Any thread. */
    public void post(Input<O> input) {
        Input<O> before = top.get();
        input.next = before == busy ? null : before;
        while (!top.compareAndSet(before, input)) {
            before = top.get();
            input.next = before == busy ? null : before;
        }
        if (before == null) {
            executor.execute(run);
        }
    }

    /** One turn. What comes meanwhile gets a turn of its own, behind whatever else the executor has to run. */
    private void run() {
        Input<O> first = rest != null ? rest : turnedRound(top.getAndSet(busy));
        rest = cut(first);
        try {
            turn.run(first);
        } finally {
            if (rest != null || !top.compareAndSet(busy, null)) {
                executor.execute(run);
            }
        }
    }

    /** Ends the turn's inputs where it has enough, and returns what is left. */
    private @Nullable Input<O> cut(@Nullable Input<O> first) {
        Input<O> last = first;
        for (int count = 1; count < inputsMax && last != null; count++) {
            last = last.next;
        }
        if (last == null) {
            return null;
        }
        Input<O> left = last.next;
        last.next = null;
        return left;
    }

    private @Nullable Input<O> turnedRound(@Nullable Input<O> youngest) {
        Input<O> oldest = null;
        for (Input<O> at = youngest; at != null; ) {
            Input<O> next = at.next;
            at.next = oldest;
            oldest = at;
            at = next;
        }
        return oldest;
    }

    /** The input after this one in its turn, which is let go. */
    public static <O> @Nullable Input<O> after(Input<O> input) {
        Input<O> next = input.next;
        input.next = null;
        return next;
    }
}
