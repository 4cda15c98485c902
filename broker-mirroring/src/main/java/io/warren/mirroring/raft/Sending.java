package io.warren.mirroring.raft;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.metadata.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives {@link Submissions} one owner at a time, a clock, and the way to the leader. Decides nothing: inputs go in under a lock,
 * and what they cause happens when the lock is released.
 */
final class Sending {
    private static final Logger LOG = LoggerFactory.getLogger(Sending.class);
    private static final long TICK_NS = Submissions.RETRY_NS / 2;

    private final RaftSettings settings;
    private final Ticker ticker;
    private final StoreThreads threads;
    private final RaftEngine engine;
    private final Replicas replicas;
    private final Submissions submissions;
    private List<Runnable> caused = new ArrayList<>();
    private boolean ticking;

    Sending(RaftSettings settings, Ticker ticker, StoreThreads threads, RaftEngine engine, Replicas replicas) {
        this.settings = settings;
        this.ticker = ticker;
        this.threads = threads;
        this.engine = engine;
        this.replicas = replicas;
        submissions = new Submissions(new Caused(), settings.patience().toNanos());
    }

    void submit(byte[] command, Consumer<Result> answer) {
        input(() -> submissions.onSubmit(command, answer, ticker.nowNs()));
    }

    void onApplied(long index) {
        input(() -> submissions.onApplied(index));
    }

    void onLeader(@Nullable String node) {
        if (node != null) {
            input(submissions::onLeader);
        }
    }

    void onLogLeft() {
        input(submissions::onLogLeft);
    }

    private void input(Runnable what) {
        List<Runnable> todo;
        synchronized (submissions) {
            what.run();
            todo = caused;
            caused = new ArrayList<>();
            if (!ticking && !submissions.isIdle()) {
                ticking = true;
                threads.tellLater(this::tick, TICK_NS);
            }
        }
        todo.forEach(Runnable::run);
    }

    private void tick() {
        input(() -> {
            ticking = false;
            submissions.onTick(ticker.nowNs());
        });
    }

    private void send(long entry, List<byte[]> commands) {
        try {
            MetadataMachine shown = replicas.shown();
            String leader = shown.isBegun() ? engine.leader(shown.logId()) : null;
            boolean isElected = settings.node().equals(leader);
            if (leader == null || (isElected && !engine.leads(shown.logId()))) {
                // Sent again as soon as somebody leads.
                onFailure(entry);
                return;
            }
            var unused = engine.send(shown.logId(), leader, entry, commands)
                    .whenComplete((reply, failure) -> onReply(entry, reply, failure));
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: entry {} was not sent", settings.node(), entry, failed);
            onFailure(entry);
        }
    }

    private void onReply(long entry, RaftEngine.@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            LOG.debug("{}: entry {} was not answered", settings.node(), entry, failure);
            onFailure(entry);
        } else {
            input(() -> submissions.onReply(entry, reply.results(), reply.index()));
        }
    }

    private void onFailure(long entry) {
        input(() -> submissions.onFailure(entry, ticker.nowNs()));
    }

    /** Done when the lock is released. */
    private final class Caused implements Submissions.Output {
        @Override
        public void send(long entry, List<byte[]> commands) {
            caused.add(() -> Sending.this.send(entry, commands));
        }

        @Override
        public void answer(Consumer<Result> caller, Result result) {
            caused.add(() -> threads.tell(() -> caller.accept(result)));
        }
    }
}
