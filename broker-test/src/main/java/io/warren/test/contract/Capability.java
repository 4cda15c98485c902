package io.warren.test.contract;

/** What a deployment may or may not offer beyond the verbs of a channel; a contract that needs one is skipped without it. */
public enum Capability {
    /** Vhosts, users, permissions and policies can be changed through {@link Deployment#administration()}. */
    ADMINISTRATION,
    /** The memory alarm can be set and cleared through {@link Deployment#administration()}. */
    MEMORY_ALARM,
    /** Exchanges and queues drop duplicates when asked to, with the names of RabbitMQ's de-duplication plugin. */
    DEDUPLICATION
}
