package io.warren.mirroring.mirror;

import io.warren.mirroring.entrylog.Copy;
import io.warren.mirroring.entrylog.CopyListener;
import io.warren.mirroring.group.Group;
import io.warren.mirroring.queue.MirroredQueue;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a member has to do with the disk, where it has one: what its ring puts out is written, what is forced is told to the ring, and now and then the
 * whole of it is told, so that old files can go.
 */
final class StoredMember implements CopyListener {

    /** The member, as far as it is asked for here. */
    interface Shell {

        /** Does something with the queue, in its mailbox, behind all that the ring has put out by now. */
        void arrive(Consumer<MirroredQueue> what);

        /** Nothing is written any more. */
        void failed(Throwable failure);
    }

    private final Copy copy;
    private final Group<byte[]> group;
    private final Shell shell;
    /** Owned by the queue's mailbox: how often the member has begun anew, and whether messages may be missing on the disk. */
    private int lives;

    private int generation;
    private boolean isPartial;

    /** Nothing is told before {@link #begin}. */
    StoredMember(Copy copy, Group<byte[]> group, Shell shell) {
        this.copy = copy;
        this.group = group;
        this.shell = shell;
        isPartial = copy.from().snapshot().missingBelow() > 0;
        generation = copy.generation();
    }

    void begin() {
        copy.begin(this);
    }

    /**
     * What is found on the disk counts for nothing: the queue held this by itself, and its own log keeps it until it is in this one. Before any
     * view, so that whatever is confirmed is written behind it.
     *
     * @param kept run by the log's thread
     */
    void beginAnew(Position upTo, ReplicaSnapshot content, Runnable kept) {
        isPartial = false;
        generation = copy.restart(upTo, Map.of(), content, kept);
    }

    void close() {
        copy.close();
    }

    // ---- in the ring's turn

    void append(Entry<byte[]> entry) {
        copy.append(entry);
    }

    void cut(long fromOffset) {
        copy.cut(fromOffset);
    }

    void forget(long toOffset) {
        copy.forget(toOffset);
    }

    /**
     * Another member's state takes the place of what is there.
     *
     * @return the generation of the copy that begins
     */
    int restart(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
        return copy.restart(upTo, senders, tables, () -> {});
    }

    // ---- in the queue's mailbox

    /** The queue was made anew of that state, with which a generation of the copy has begun. */
    void restarted(ReplicaSnapshot tables, int begun) {
        lives++;
        generation = begun;
        isPartial = tables.missingBelow() > 0;
    }

    /** Messages were put in where some were missing. */
    void filled(List<byte[]> publishes) {
        copy.fill(generation, publishes);
    }

    /** Runs something, on another thread, when what was put in by now is written: more of it need not come sooner. */
    void whenWritten(Runnable then) {
        copy.whenWritten(then);
    }

    /**
     * Reads messages.
     *
     * @param then given those that are not settled, in the mailbox, unless the member has begun anew by then
     */
    void read(List<Long> messages, Consumer<Map<Long, byte[]>> then) {
        int life = lives;
        copy.read(
                generation,
                messages,
                publishes -> shell.arrive(queue -> {
                    if (lives == life) {
                        then.accept(publishes);
                    }
                }));
    }

    /** Forces what the queue holds, and then says so in the mailbox, unless the member has begun anew by then. */
    void keep(Runnable kept) {
        int life = lives;
        tell(() -> shell.arrive(queue -> {
            if (lives == life) {
                isPartial = false;
                kept.run();
            }
        }));
    }

    /** The member leads: what was missing it does without. */
    void promoted() {
        if (isPartial) {
            isPartial = false;
            tell(() -> {});
        }
    }

    private void tell(Runnable whenForced) {
        group.post(ring -> {
            Copy.Captured captured = copy.capture(ring.base(), ring.baseSenders());
            shell.arrive(queue -> {
                Position applied = queue.applyFirm();
                copy.state(captured, applied, queue.snapshotUpTo(applied.offset()), whenForced);
            });
        });
    }

    // ---- what the log says

    @Override
    public void onDurable(long offset, long cuts) {
        group.post(ring -> {
            if (copy.isCurrent(cuts)) {
                ring.onDurable(offset);
            }
        });
    }

    @Override
    public void onStateWanted() {
        tell(() -> {});
    }

    @Override
    public void onFailed(Throwable failure) {
        shell.failed(failure);
    }
}
