package io.warren.amqp.session;

import io.warren.amqp.method.BasicMethod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Confirms of one channel, said with as few methods as possible: one basic.ack for all up to the first publish that is
 * not answered, one each for those beyond it.
 *
 * <p>Invariant: every publish up to {@code answeredUpTo} is answered, so that a multiple ack says nothing that is not
 * so. A nack is said at once, ahead of acks that wait. Owned by its channel.
 */
final class ConfirmBatch {

    private final Set<Long> answeredBeyond = new HashSet<>();
    private final List<Long> singles = new ArrayList<>();
    private long answeredUpTo;

    /** The last publish confirmed in its turn. */
    private long lastAck;

    /** Every answer up to here has been sent; not above {@code answeredUpTo} after a flush. */
    private long saidUpTo;

    /** A publish is safe. */
    void onConfirmed(long sequence) {
        if (sequence == answeredUpTo + 1) {
            lastAck = sequence;
        } else {
            singles.add(sequence);
        }
        onAnswered(sequence);
    }

    /** A publish was refused, and the client is told by the caller. */
    void onRejected(long sequence) {
        onAnswered(sequence);
        if (sequence == saidUpTo + 1) {
            saidUpTo = sequence;
        }
    }

    private void onAnswered(long sequence) {
        if (sequence != answeredUpTo + 1) {
            answeredBeyond.add(sequence);
            return;
        }
        answeredUpTo = sequence;
        while (!answeredBeyond.isEmpty() && answeredBeyond.remove(answeredUpTo + 1)) {
            answeredUpTo++;
        }
    }

    /** Says what is due. */
    void flush(Consumer<BasicMethod.Ack> output) {
        long all = lastAck;
        for (int i = 0; i < singles.size(); i++) {
            long single = singles.get(i);
            if (single <= answeredUpTo) {
                all = Math.max(all, single);
            }
        }
        if (all > saidUpTo) {
            output.accept(new BasicMethod.Ack(all, all > saidUpTo + 1));
        }
        for (int i = 0; i < singles.size(); i++) {
            long single = singles.get(i);
            if (single > all) {
                output.accept(new BasicMethod.Ack(single, false));
            }
        }
        singles.clear();
        saidUpTo = answeredUpTo;
    }
}
