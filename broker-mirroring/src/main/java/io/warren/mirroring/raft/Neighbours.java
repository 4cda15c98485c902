package io.warren.mirroring.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the leader of a log by asking all there are at once, and then whom they named. */
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
