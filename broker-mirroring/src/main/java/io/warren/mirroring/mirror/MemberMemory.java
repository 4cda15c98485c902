package io.warren.mirroring.mirror;

import io.warren.core.spi.MemoryBudget;

/**
 * What one member holds in memory: its backing queue, and its replica where it has a disk. When a reign is over, the void backing queue is forgotten
 * without having said so. Owned by the mailbox.
 */
final class MemberMemory implements MemoryBudget {
    private final MemoryBudget broker;
    private long heldBytes;

    MemberMemory(MemoryBudget broker) {
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

    /** All of it but so many bytes is there no more. */
    void keepOnly(long bytes) {
        held(bytes - heldBytes);
    }
}
