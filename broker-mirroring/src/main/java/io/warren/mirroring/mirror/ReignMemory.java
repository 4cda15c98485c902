package io.warren.mirroring.mirror;

import io.warren.core.queue.MemoryBudget;
import java.util.function.LongConsumer;

/** What the backing queues of one member hold: when a reign is over, the void one is forgotten without having said so. Owned by the mailbox. */
final class ReignMemory implements MemoryBudget {
    private final LongConsumer broker;
    private long heldBytes;

    ReignMemory(LongConsumer broker) {
        this.broker = broker;
    }

    @Override
    public void held(long changeBytes) {
        heldBytes += changeBytes;
        broker.accept(changeBytes);
    }

    /** Nothing of it is there any more. */
    void release() {
        broker.accept(-heldBytes);
        heldBytes = 0;
    }
}
