package io.warren.core.internal;

import io.warren.core.spi.MemoryBudget;

/**
 * The bytes one queue holds, handed on to the broker's account in steps of {@value #STEP_BYTES}, so that queues do not
 * meet at one counter for every message: not even those that are empty again after each. The account is off by less than
 * one step for each queue, and does not count those below it as holders. Owned by the queue.
 */
final class QueueMemory implements MemoryBudget {

    static final int STEP_BYTES = 16 * 1024;

    private final MemoryAccount account;
    private long heldBytes;

    /** What the account knows of; 0 if it knows nothing of this queue. */
    private long toldBytes;

    QueueMemory(MemoryAccount account) {
        this.account = account;
    }

    @Override
    public void held(long changeBytes) {
        heldBytes += changeBytes;
        if (Math.abs(heldBytes - toldBytes) >= STEP_BYTES || (heldBytes == 0 && toldBytes != 0)) {
            tell();
        }
    }

    private void tell() {
        if (toldBytes == 0) {
            account.holders(1);
        } else if (heldBytes == 0) {
            account.holders(-1);
        }
        account.add(heldBytes - toldBytes);
        toldBytes = heldBytes;
    }

    @Override
    public boolean mustPage() {
        return account.isShort() && heldBytes > account.shareBytes();
    }
}
