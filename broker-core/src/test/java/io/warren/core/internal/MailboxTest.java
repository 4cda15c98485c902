package io.warren.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MailboxTest {

    private final List<Runnable> pool = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final InlineRunner runner = new InlineRunner(pool::add);

    private Mailbox mailbox() {
        return new Mailbox(runner, failures::add);
    }

    @Test
    void shouldHaveRunWhenPostReturnsAndNobodyElseDrains() {
        List<String> ran = new ArrayList<>();

        mailbox().post(() -> ran.add("entry"));

        assertThat(ran).containsExactly("entry");
        assertThat(pool).isEmpty();
    }

    @Test
    void shouldFinishEntryBeforeWhatItPosted() {
        List<String> ran = new ArrayList<>();
        Mailbox first = mailbox();
        Mailbox second = mailbox();

        first.post(() -> {
            second.post(() -> ran.add("second"));
            first.post(() -> ran.add("first again"));
            ran.add("first");
        });

        assertThat(ran).containsExactly("first", "first again", "second");
    }

    @Test
    void shouldHandOverToPoolWhenCallHasRunItsEntries() {
        Mailbox mailbox = mailbox();
        AtomicInteger ran = new AtomicInteger();

        mailbox.post(() -> {
            for (int i = 0; i < 200; i++) {
                mailbox.post(ran::incrementAndGet);
            }
        });

        assertThat(ran.get()).isEqualTo(InlineRunner.ENTRIES_PER_CALL - 1);
        drainPool();
        assertThat(ran.get()).isEqualTo(200);
    }

    @Test
    void shouldCountEntriesOfAllMailboxesInOneCall() {
        AtomicInteger ran = new AtomicInteger();

        mailbox().post(() -> {
            for (int i = 0; i < 100; i++) {
                mailbox().post(ran::incrementAndGet);
            }
        });

        assertThat(ran.get()).isEqualTo(InlineRunner.ENTRIES_PER_CALL - 1);
        drainPool();
        assertThat(ran.get()).isEqualTo(100);
    }

    private void drainPool() {
        while (!pool.isEmpty()) {
            pool.remove(0).run();
        }
    }

    @Test
    void shouldNotDeepenStackWhenMailboxesPostToEachOther() {
        Mailbox ping = mailbox();
        Mailbox pong = mailbox();
        AtomicInteger left = new AtomicInteger(100_000);
        Runnable[] play = new Runnable[1];
        play[0] = () -> {
            if (left.decrementAndGet() > 0) {
                (left.get() % 2 == 0 ? ping : pong).post(play[0]);
            }
        };

        ping.post(play[0]);
        drainPool();

        assertThat(left.get()).isZero();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldTellOwnerAndGoOnWhenEntryThrows() {
        List<String> ran = new ArrayList<>();
        Mailbox mailbox = mailbox();
        IllegalStateException failure = new IllegalStateException("entry");

        mailbox.post(() -> {
            mailbox.post(() -> ran.add("next"));
            throw failure;
        });

        assertThat(failures).containsExactly(failure);
        assertThat(ran).containsExactly("next");
    }

    @Test
    void shouldBecomeRunnableOnceWhenPostsFindItWaiting() {
        List<Mailbox> runnable = new ArrayList<>();
        Mailbox mailbox = new Mailbox(recording(runnable), failures::add);

        mailbox.post(() -> {});
        mailbox.post(() -> {});
        mailbox.post(() -> {});

        assertThat(runnable).containsExactly(mailbox);
    }

    @Test
    void shouldNotBecomeRunnableWhenPostFindsItDraining() {
        List<Mailbox> runnable = new ArrayList<>();
        Mailbox mailbox = new Mailbox(recording(runnable), failures::add);
        mailbox.post(() -> mailbox.post(() -> {}));
        runnable.clear();

        int owed = mailbox.drain(1);
        int left = mailbox.drain(10);

        assertThat(runnable).isEmpty();
        assertThat(owed).isEqualTo(Mailbox.OWED);
        assertThat(left).isEqualTo(9);
    }

    @Test
    void shouldBecomeRunnableAgainOnlyWhenAllHasRun() {
        List<Mailbox> runnable = new ArrayList<>();
        Mailbox mailbox = new Mailbox(recording(runnable), failures::add);
        mailbox.post(() -> {});
        mailbox.post(() -> {});
        runnable.clear();

        mailbox.drain(1);
        mailbox.post(() -> {});
        List<Mailbox> whileOwed = List.copyOf(runnable);
        mailbox.drain(2);
        mailbox.post(() -> {});

        assertThat(whileOwed).isEmpty();
        assertThat(runnable).containsExactly(mailbox);
    }

    /** A runner that runs nothing by itself: each call of it gives one thread the right to drain. */
    private static MailboxRunner recording(List<Mailbox> runnable) {
        return new MailboxRunner() {
            @Override
            public void runnable(Mailbox mailbox) {
                runnable.add(mailbox);
            }

            @Override
            public boolean isDraining() {
                return false;
            }

            @Override
            public void runDue() {}
        };
    }

    @Test
    void shouldRunEachEntryOnceAloneAndInOrderOfItsThreadWhenManyPost() throws Exception {
        int threads = 4;
        int entriesPerThread = 50_000;
        ExecutorService executor = Executors.newFixedThreadPool(2);
        ExecutorService posters = Executors.newFixedThreadPool(threads);
        Mailbox mailbox = new Mailbox(new InlineRunner(executor), failures::add);
        int[] lastOf = new int[threads];
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(threads * entriesPerThread);
        CyclicBarrier start = new CyclicBarrier(threads);

        for (int thread = 0; thread < threads; thread++) {
            int poster = thread;
            posters.execute(() -> {
                await(start);
                for (int i = 1; i <= entriesPerThread; i++) {
                    int number = i;
                    mailbox.post(() -> {
                        boolean alone = inside.incrementAndGet() == 1;
                        boolean inOrder = number == ++lastOf[poster];
                        if (!alone || !inOrder) {
                            wrong.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        ran.countDown();
                    });
                }
            });
        }

        assertThat(ran.await(60, TimeUnit.SECONDS)).as("every entry ran").isTrue();
        assertThat(wrong.get()).as("entries beside another, or out of order").isZero();
        posters.shutdown();
        executor.shutdown();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    void shouldRunNothingBeforeItIsDueWhenSeeded() {
        SeededRunner seeded = new SeededRunner(new SplittableRandom(1));
        List<String> ran = new ArrayList<>();
        Mailbox mailbox = new Mailbox(seeded, failures::add);

        mailbox.post(() -> ran.add("entry"));
        assertThat(ran).isEmpty();
        seeded.runDue();

        assertThat(ran).containsExactly("entry");
    }

    @Test
    void shouldInterleaveBySeed() {
        List<String> one = interleaving(1);
        List<String> oneAgain = interleaving(1);
        List<String> two = interleaving(2);

        assertThat(oneAgain).isEqualTo(one);
        assertThat(two).isNotEqualTo(one).containsExactlyInAnyOrderElementsOf(one);
    }

    private List<String> interleaving(long seed) {
        SeededRunner seeded = new SeededRunner(new SplittableRandom(seed));
        List<String> ran = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            Mailbox mailbox = new Mailbox(seeded, failures::add);
            for (int i = 0; i < 20; i++) {
                String entry = name + i;
                mailbox.post(() -> ran.add(entry));
            }
        }
        seeded.runDue();
        return ran;
    }
}
