package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.format.LogSummary;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the leader of a log by asking all there are at once, and then whom they named; and logs that win over one. */
final class Neighbours {
    private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);

    private final RaftSettings settings;
    private final RaftEngine engine;
    private final Executor calls;

    Neighbours(RaftSettings settings, RaftEngine engine, Executor calls) {
        this.settings = settings;
        this.engine = engine;
        this.calls = calls;
    }

    /**
     * Who leads, or null if nobody who answers does. Waits for those who do not, for a request's time limit.
     *
     * @param logId of which log, or null for whichever is there
     */
    @Nullable Standing leader(@Nullable Long logId, Collection<String> addresses) {
        Set<String> asked = new TreeSet<>();
        Set<String> next = new TreeSet<>(addresses);
        while (!next.isEmpty()) {
            asked.addAll(next);
            List<Standing> standings = askAll(next);
            next = new TreeSet<>();
            for (Standing standing : standings) {
                if (logId == null || standing.logId() == logId) {
                    if (standing.leads() && standing.voters().containsKey(standing.node())) {
                        return standing;
                    }
                    next.addAll(standing.voters().values());
                }
            }
            next.removeAll(asked);
        }
        return null;
    }

    /**
     * A log that wins over this node's.
     *
     * @param address of a node that holds it
     */
    record Winner(LogSummary summary, String address) {}

    /** A log that one of these nodes holds and that wins over this node's, or null. Waits for those who do not answer, one after the other. */
    @Nullable Winner winnerOver(long ownLogId, Predicate<LogId> wins, Collection<String> addresses) {
        for (String address : addresses) {
            for (Standing standing : ask(address)) {
                LogSummary other = standing.logId() == ownLogId ? null : summary(address, standing.logId());
                if (other != null && wins.test(other.logId())) {
                    return new Winner(other, address);
                }
            }
        }
        return null;
    }

    /** Whether half of these are known to have ended: their machines say that nobody listens there. Waits for who says nothing. */
    boolean areHalfGone(Collection<String> voters) {
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (String address : voters) {
            answers.add(CompletableFuture.supplyAsync(() -> isGone(address), calls));
        }
        long gone = answers.stream().filter(CompletableFuture::join).count();
        return gone > 0 && 2 * gone >= voters.size();
    }

    private boolean isGone(String address) {
        try {
            engine.ask(address);
            return false;
        } catch (IOException silent) {
            return isRefused(silent);
        }
    }

    /** A timeout is an exception of the same kind. */
    private static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (cause instanceof ConnectException && message != null && message.contains("Connection refused")) {
                return true;
            }
        }
        return false;
    }

    private @Nullable LogSummary summary(String address, long logId) {
        try {
            return engine.summary(address, logId);
        } catch (IOException silent) {
            LOG.debug("{}: metadata log: {} says nothing of its log", settings.node(), address, silent);
            return null;
        }
    }

    private List<Standing> askAll(Collection<String> addresses) {
        List<CompletableFuture<List<Standing>>> answers = new ArrayList<>();
        for (String address : addresses) {
            answers.add(CompletableFuture.supplyAsync(() -> ask(address), calls));
        }
        List<Standing> standings = new ArrayList<>();
        answers.forEach(answer -> standings.addAll(answer.join()));
        return standings;
    }

    private List<Standing> ask(String address) {
        try {
            return engine.ask(address);
        } catch (IOException unreachable) {
            LOG.debug("{}: metadata log: {} does not answer", settings.node(), address, unreachable);
            return List.of();
        }
    }
}
