package io.warren.test.contract;

/**
 * Knows one way to deploy a broker; found by {@link java.util.ServiceLoader}.
 *
 * <p>One instance serves all contracts of a run, one after the other, and is closed after the last.
 */
public interface DeploymentProvider extends AutoCloseable {

    /** Names the deployment in test reports: {@code in-vm}, {@code rabbitmq-3.10.8}. */
    String name();

    /** Whether contracts should run on it now; false when it needs an address that was not given. */
    boolean isActive();

    /** Whether it decides what is right: what passes on it is recorded in a committed list. */
    default boolean isReference() {
        return false;
    }

    /** An empty broker for one test. */
    Deployment open();

    /** Gives up what all tests of the run shared. */
    @Override
    default void close() {}
}
