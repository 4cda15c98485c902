package io.warren.core.internal;

import io.warren.core.queue.MemoryBudget;

/**
 * The bytes one queue holds, handed on to the broker's account in steps of {@value #STEP_BYTES}, so that queues do not
 * meet at one counter for every message. The account is off by less than one step for each queue. Owned by the queue.
 */
final class QueueMemory implements MemoryBudget {

    static final int STEP_BYTES = 16 * 1024;

    private final MemoryAccount account;
    private long heldBytes;
    private long untoldBytes;

    QueueMemory(MemoryAccount account) {
        this.account = account;
    }

    @Override
    public void held(long changeBytes) {
        if (heldBytes == 0 && changeBytes > 0) {
            account.holders(1);
        }
        heldBytes += changeBytes;
        if (heldBytes == 0 && changeBytes < 0) {
            account.holders(-1);
        }
        untoldBytes += changeBytes;
        if (Math.abs(untoldBytes) >= STEP_BYTES || heldBytes == 0) {
            account.add(untoldBytes);
            untoldBytes = 0;
        }
    }

    @Override
    public boolean mustPage() {
        return account.isShort() && heldBytes > account.shareBytes();
    }
}
