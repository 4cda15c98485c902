package io.warren.mirroring.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** Runs what it is given when told to, in an order that a seed decides. */
public final class SeededExecutor implements Executor {
    private final Random random;
    private final List<Runnable> waiting = new ArrayList<>();

    public SeededExecutor(long seed) {
        random = new Random(seed);
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    /** Runs one of those that wait; false if none does. */
    public boolean runOne() {
        if (waiting.isEmpty()) {
            return false;
        }
        waiting.remove(random.nextInt(waiting.size())).run();
        return true;
    }

    public void runAll() {
        boolean ran = true;
        while (ran) {
            ran = runOne();
        }
    }
}
