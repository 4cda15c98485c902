package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.queue.ReplicaPropertyTest.History;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.Giver;
import io.warren.mirroring.transfer.GiverOutput;
import io.warren.mirroring.transfer.Taker;
import io.warren.mirroring.transfer.TakerOutput;
import io.warren.mirroring.transfer.TransferCodec;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Master A and member B, which is lost by the ring and comes to hold everything: whole histories of the queue, with links that break, views and
 * reigns that change, pieces of any size, and somebody who breaks it off and asks for it again.
 */
class SynchronisationTest {
    private static final int SEEDS = 120;
    private static final int STEPS = 400;
    private static final int HEALING_ROUNDS = 200;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Member A = new Member("A", 1);
    private static final Member B = new Member("B", 1);

    private int proposals;
    private int broken;

    /** The member's queue, as far as it matters here. */
    private record Late(Replica replica) implements MissingMessages {
        @Override
        public long missingBelow() {
            return replica.state().missingBelow();
        }

        @Override
        public long delivered() {
            return replica.delivered();
        }

        @Override
        public Map<Long, byte[]> entriesBelow(long offset) {
            return replica.state().entriesBelow(offset);
        }

        @Override
        public Position rememberedFrom() {
            return replica.beginning();
        }

        @Override
        public void fill(List<byte[]> entries) {
            entries.forEach(replica.state()::fill);
        }

        @Override
        public void onFilled(long firmOffset) {
            replica.onFilled(firmOffset);
        }
    }

    private final class World implements TakerOutput {
        private final Random random;
        private final List<Entry<byte[]>> entries;
        private final Replica master = new Replica(ReplicaSnapshot.EMPTY, Position.START);
        private Replica member = new Replica(ReplicaSnapshot.EMPTY, Position.START);
        private final Taker taker = new Taker(B, new Late(member), this);
        private Giver giver;
        private boolean isLost;
        private long epoch;
        private long reign;
        private long nowNs;
        private final ArrayDeque<byte[]> toMaster = new ArrayDeque<>();
        private final ArrayDeque<byte[]> toMember = new ArrayDeque<>();
        private final ArrayDeque<Runnable> caused = new ArrayDeque<>();

        World(long seed) {
            random = new Random(seed);
            entries = new History(seed, false).entries;
            newReign();
            masterTo(150 + random.nextInt(200));
            lose();
        }

        // ---- the shells

        private GiverOutput ofGiver() {
            return new GiverOutput() {
                @Override
                public void send(String node, TransferFrame.ToMember frame) {
                    toMember.addLast(TransferCodec.encode(frame));
                }

                @Override
                public void readState(String node, int attempt) {
                    Giver asked = giver;
                    caused.addLast(() -> asked.onState(
                            node,
                            attempt,
                            master.applied(),
                            Map.of(A, 1L),
                            master.state().snapshot()));
                }

                @Override
                public void proposeInSync(long inEpoch, Member who) {
                    assertThat(isLost).isFalse();
                    assertThat(member.state().missingBelow()).isZero();
                    int at = (int) member.applied().offset();
                    assertThat(member.state().snapshot())
                            .isEqualTo(ReplicaPropertyTest.expected(entries.subList(0, at)));
                    proposals++;
                }
            };
        }

        @Override
        public void send(String node, TransferFrame.ToMaster frame) {
            toMaster.addLast(TransferCodec.encode(frame));
        }

        @Override
        public void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
            caused.addLast(() -> {
                boolean isTaken = isLost && upTo.offset() > member.delivered();
                if (isTaken) {
                    isLost = false;
                    member = new Replica(tables, upTo);
                }
                taker.onTaken(isTaken ? new Late(member) : null);
                propose();
            });
        }

        @Override
        public void progress(int taken, int all) {
            assertThat(taken).isLessThanOrEqualTo(all);
        }

        @Override
        public void complete() {}

        @Override
        public void spoiled(String why) {
            throw new AssertionError(why);
        }

        /** The ring proposes whoever follows. */
        private void propose() {
            if (!isLost) {
                giver.onProposal(epoch, B);
            }
        }

        // ---- what happens

        private void newReign() {
            reign = epoch + 1;
            boolean isAutomatic = random.nextBoolean();
            giver = new Giver(reign, isAutomatic, 1 + random.nextInt(3_000), ofGiver());
            newView();
        }

        private void newView() {
            tellView();
            propose();
        }

        private void tellView() {
            epoch++;
            View view = new View(7, epoch, reign, 0, 0, 1, true, List.of(A), List.of(B), List.of());
            giver.onView(view);
            taker.onView(view);
        }

        /** Who follows in a view is not lost in it, but in the next. */
        private void lose() {
            tellView();
            isLost = true;
            taker.onLost();
        }

        private void masterTo(int to) {
            entries.subList((int) master.applied().offset(), to).forEach(master::onDelivered);
            master.applyUpTo(to);
            giver.onBatchEnd(new AppliedState() {
                @Override
                public Position applyFirm() {
                    return master.applied();
                }

                @Override
                public long oldest() {
                    return master.state().oldest();
                }
            });
        }

        private void memberTo(int to) {
            if (!isLost && to > member.delivered()) {
                entries.subList((int) member.delivered(), to).forEach(member::onDelivered);
                member.onBatchEnd();
                if (random.nextBoolean()) {
                    member.applyUpTo(to);
                }
            }
            taker.onBatchEnd();
        }

        private int upTo(int from, int most) {
            return Math.min(most, from + random.nextInt(12));
        }

        private void carry() {
            byte[] toA = random.nextBoolean() ? toMaster.poll() : null;
            byte[] toB = toA == null ? toMember.poll() : null;
            if (toA != null) {
                giver.onFrame("B", (TransferFrame.ToMaster) TransferCodec.decode(toA));
            } else if (toB != null) {
                taker.onFrame("A", (TransferFrame.ToMember) TransferCodec.decode(toB));
            }
        }

        private void breakLink() {
            toMaster.clear();
            toMember.clear();
            giver.onLinkDown("B");
            taker.onLinkDown("A");
            taker.onLinkUp("A");
            broken++;
        }

        private void tick() {
            nowNs += SECOND_NS;
            taker.onTick(nowNs);
            giver.onTick(nowNs);
        }

        void step() {
            int what = random.nextInt(200);
            if (what < 20) {
                masterTo(upTo((int) master.applied().offset(), entries.size()));
            } else if (what < 45) {
                memberTo(upTo((int) member.delivered(), (int) master.applied().offset()));
            } else if (what < 150) {
                carry();
            } else if (what < 180) {
                Runnable next = caused.poll();
                if (next != null) {
                    next.run();
                }
            } else if (what < 184) {
                breakLink();
            } else if (what < 186) {
                newReign();
            } else if (what < 190) {
                newView();
            } else if (what < 191) {
                // The ring loses nobody who holds all that there will be.
                if (!isLost && member.delivered() < entries.size()) {
                    lose();
                }
            } else if (what < 193) {
                giver.onCancel();
            } else if (what < 195) {
                giver.onSync();
            } else {
                tick();
            }
        }

        /** Nothing goes wrong any more, and somebody asks for it. */
        void heal() {
            for (int round = 0; round < HEALING_ROUNDS; round++) {
                giver.onSync();
                tick();
                while (!caused.isEmpty() || !toMaster.isEmpty() || !toMember.isEmpty()) {
                    for (Runnable next = caused.poll(); next != null; next = caused.poll()) {
                        next.run();
                    }
                    carry();
                }
                masterTo(entries.size());
                memberTo(entries.size());
            }
            member.applyUpTo(entries.size());
        }
    }

    @Test
    void shouldHoldWhatTheMasterHoldsWhateverComesBetween() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            World world = new World(seed);
            try {
                for (int i = 0; i < STEPS; i++) {
                    world.step();
                }
                world.heal();

                assertThat(world.taker.isComplete()).isTrue();
                assertThat(world.member.state().snapshot())
                        .isEqualTo(world.master.state().snapshot());
                assertThat(world.giver.progress()).isEmpty();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        assertThat(proposals).isGreaterThan(SEEDS / 2);
        assertThat(broken).isGreaterThan(SEEDS);
    }
}
