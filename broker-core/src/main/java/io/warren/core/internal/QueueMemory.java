package io.warren.core.internal;

import java.util.function.LongConsumer;

/**
 * The bytes one queue holds, handed on to the broker's account in steps of {@value #STEP_BYTES}, so that queues do not
 * meet at one counter for every message. The account is off by less than one step for each queue. Owned by the queue.
 */
final class QueueMemory implements LongConsumer {

    static final int STEP_BYTES = 16 * 1024;

    private final MemoryAccount account;
    private long heldBytes;
    private long untoldBytes;

    QueueMemory(MemoryAccount account) {
        this.account = account;
    }

    @Override
    public void accept(long changeBytes) {
        heldBytes += changeBytes;
        untoldBytes += changeBytes;
        if (Math.abs(untoldBytes) >= STEP_BYTES || heldBytes == 0) {
            account.add(untoldBytes);
            untoldBytes = 0;
        }
    }
}
