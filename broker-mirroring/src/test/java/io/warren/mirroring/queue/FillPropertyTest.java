package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.queue.ReplicaPropertyTest.History;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A member that follows the ring first and is given the messages of before later ends as the one that was there all the time. */
class FillPropertyTest {
    private static final int SEEDS = 120;

    /** The master's state, and a member's that came late. */
    private static final class Run {
        private final List<Entry<byte[]>> entries;
        private final Random random;
        private final Replica master = new Replica(ReplicaSnapshot.EMPTY, Position.START);
        private Replica member = master;
        private int memberAt;

        Run(long seed) {
            random = new Random(seed);
            entries = new History(seed, false).entries;
        }

        private int masterAt() {
            return (int) master.applied().offset();
        }

        /** Brings a replica on by some entries, not beyond the end. */
        private int some(int from) {
            return Math.min(entries.size(), from + random.nextInt(120));
        }

        private void masterTo(int to) {
            entries.subList(masterAt(), to).forEach(master::onDelivered);
            master.applyUpTo(to);
        }

        private void memberTo(int to) {
            entries.subList(memberAt, to).forEach(member::onDelivered);
            member.onBatchEnd();
            member.applyUpTo(to);
            memberAt = to;
        }

        void run() {
            masterTo(some(200));
            member = new Replica(master.state().snapshot().withoutMessages(), master.applied());
            memberAt = masterAt();
            masterTo(some(masterAt()));
            memberOn(30);
            int attempts = 1 + random.nextInt(3);
            for (int i = 0; i < attempts && !fill(i == attempts - 1); i++) {
                masterTo(some(masterAt()));
                memberOn(30);
            }
            masterTo(entries.size());
            memberTo(entries.size());
        }

        /** The member may be behind the master, or beyond it. */
        private void memberOn(int atMost) {
            memberTo(Math.min(entries.size(), memberAt + random.nextInt(atMost)));
        }

        /** What is missing comes, as of a state at or behind the one that the member began with; false if that is broken off. */
        private boolean fill(boolean isLast) {
            long below = member.state().missingBelow();
            masterTo(some(masterAt()));
            int asOf = masterAt();
            ReplicaSnapshot given = master.state().snapshot().messagesBelow(below);
            List<HeldMessages> held = HeldMessages.of(own(below));
            SnapshotReader reader = new SnapshotReader();
            SnapshotWriter writer = new SnapshotWriter(given, held);
            List<byte[]> toCome = new ArrayList<>();
            while (writer.hasNext()) {
                toCome.add(writer.next(500));
            }
            Iterator<byte[]> pieces = toCome.iterator();
            while (pieces.hasNext()) {
                if (random.nextInt(3) == 0) {
                    masterTo(some(masterAt()));
                    memberOn(20);
                }
                if (!isLast && random.nextInt(10) == 0) {
                    return false;
                }
                if (held.isEmpty()) {
                    reader.accept(pieces.next());
                    reader.takeMessages().forEach(member.state()::fill);
                } else {
                    pieces.next();
                }
            }
            if (!held.isEmpty()) {
                given.messages.forEach(member.state()::fill);
            }
            member.onFilled(asOf);
            return true;
        }

        private List<byte[]> own(long below) {
            return member.state().snapshot().messagesBelow(below).messages;
        }
    }

    @Test
    void shouldEndAsTheOneThatWasThereAllTheTime() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run run = new Run(seed);

            run.run();

            assertThat(run.member.state().snapshot())
                    .as("seed %d", seed)
                    .isEqualTo(run.master.state().snapshot());
        }
    }

    @Test
    void shouldBeCompleteWithoutAWordWhenEverythingOfBeforeIsSettled() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run run = new Run(seed);
            run.masterTo(100);
            run.member = new Replica(run.master.state().snapshot().withoutMessages(), run.master.applied());
            run.memberAt = 100;
            run.masterTo(run.entries.size());
            run.memberTo(run.entries.size());
            long missingBelow = run.member.state().missingBelow();
            if (run.master.state().oldest() >= missingBelow) {
                run.member.onFilled(run.memberAt);

                assertThat(run.member.state().snapshot())
                        .as("seed %d", seed)
                        .isEqualTo(run.master.state().snapshot());
            }
        }
    }

    /** A policy wants it to lead though it does not hold everything. */
    @Test
    void shouldGoOnWithoutWhatIsMissingWhenItIsToLead() {
        int given = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run run = new Run(seed);
            run.masterTo(300);
            ReplicaSnapshot tables = run.master.state().snapshot().withoutMessages();
            Replica late = new Replica(tables, run.master.applied());
            given += tables.dying.size();

            late.state().giveUpMissing();

            assertThat(late.state().missingBelow()).isZero();
            assertThat(late.state().messageCount()).isZero();
            assertThat(late.state().dying()).isEmpty();
            assertThat(late.state().nextOffset()).isEqualTo(run.master.state().nextOffset());
        }
        assertThat(given).isPositive();
    }
}
