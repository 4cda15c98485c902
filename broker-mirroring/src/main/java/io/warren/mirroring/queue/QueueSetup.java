package io.warren.mirroring.queue;

/**
 * What a mirrored queue is from its declaration on.
 *
 * @param queueId its id in the topology
 * @param durable whether it outlives all its members' processes: persistent messages are forced to disk
 * @param priorityMax highest priority it orders by, 0 to 255
 */
public record QueueSetup(long queueId, boolean durable, int priorityMax) {
    public QueueSetup {
        if (priorityMax < 0 || priorityMax > 255) {
            throw new IllegalArgumentException("priorityMax=" + priorityMax + ", allowed are 0 to 255");
        }
    }
}
