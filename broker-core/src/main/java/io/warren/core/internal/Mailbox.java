package io.warren.core.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The serial mailbox of one owner (a queue, a channel, the metadata): entries run one at a time, in the order they came.
 *
 * <p>Any thread posts; whoever finds the mailbox idle makes it run, by way of its {@link MailboxRunner}. An intrusive
 * queue of many producers and one consumer: the entry is the node, so that a post costs one allocation, one exchange and
 * one increment. Unbounded by itself: what may be posted is bounded where it comes from (credit, prefetch, frames).
 */
final class Mailbox {

    /** What is posted: one input for the owner. */
    abstract static class Entry {

        private volatile @Nullable Entry next;

        abstract void run();
    }

    private static final class Task extends Entry {

        private final Runnable task;

        Task(Runnable task) {
            this.task = task;
        }

        @Override
        void run() {
            task.run();
        }
    }

    /** A mailbox as somebody outside this package has it. */
    record Posting(Mailbox mailbox) implements Executor {
        @Override
        public void execute(Runnable task) {
            mailbox.post(task);
        }
    }

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(Mailbox.class, "tail", Entry.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** {@link #drain} ran all it was allowed to and entries are left: the caller still owes a drain. */
    static final int OWED = -1;

    private final MailboxRunner runner;
    private final Consumer<Throwable> onFailure;

    /** Entries posted and not yet run. Who raises it from zero makes the mailbox runnable; who drains owns the head. */
    private final AtomicInteger pending = new AtomicInteger();

    @SuppressWarnings("UnusedVariable") // swapped by way of TAIL
    private volatile Entry tail;

    private Entry head;

    /**
     * @param onFailure told of what an entry threw; the owner stops itself and says so
     */
    Mailbox(MailboxRunner runner, Consumer<Throwable> onFailure) {
        this.runner = runner;
        this.onFailure = onFailure;
        this.head = new Task(() -> {});
        this.tail = head;
    }

    /** Adds an entry, used for this post only. */
    void post(Entry entry) {
        Entry before = (Entry) TAIL.getAndSet(this, entry);
        before.next = entry;
        if (pending.getAndIncrement() == 0) {
            runner.runnable(this);
        }
    }

    void post(Runnable task) {
        post(new Task(task));
    }

    /**
     * Runs entries, at most so many. Called by the one who was told that the mailbox is runnable.
     *
     * <p>The answer is the only word on who drains next: by the time it is read, somebody else may have found the
     * mailbox idle and be draining it.
     *
     * @return how many more could have run, the mailbox being idle now; or {@link #OWED}
     */
    int drain(int entriesMax) {
        int left = entriesMax;
        int due = pending.get();
        while (due > 0 && left > 0) {
            int batch = Math.min(due, left);
            for (int i = 0; i < batch; i++) {
                runNext();
            }
            left -= batch;
            due = pending.addAndGet(-batch);
        }
        return due > 0 ? OWED : left;
    }

    private void runNext() {
        Entry entry = head.next;
        while (entry == null) {
            // A producer has swapped the tail and is about to link it: two instructions away.
            Thread.onSpinWait();
            entry = head.next;
        }
        head = entry;
        try {
            entry.run();
        } catch (Throwable failure) {
            onFailure.accept(failure);
        }
    }
}
