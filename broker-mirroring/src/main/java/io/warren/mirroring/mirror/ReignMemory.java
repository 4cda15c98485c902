package io.warren.mirroring.mirror;

import io.warren.core.queue.MemoryBudget;

/** What the backing queues of one member hold: when a reign is over, the void one is forgotten without having said so. Owned by the mailbox. */
final class ReignMemory implements MemoryBudget {
    private final MemoryBudget broker;
    private long heldBytes;

    ReignMemory(MemoryBudget broker) {
        this.broker = broker;
    }

    @Override
    public void held(long changeBytes) {
        heldBytes += changeBytes;
        broker.held(changeBytes);
    }

    @Override
    public boolean mustPage() {
        return broker.mustPage();
    }

    /** Nothing of it is there any more. */
    void release() {
        broker.held(-heldBytes);
        heldBytes = 0;
    }
}
