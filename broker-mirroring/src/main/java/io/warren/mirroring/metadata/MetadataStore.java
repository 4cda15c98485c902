package io.warren.mirroring.metadata;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One node's end of the metadata log: the port behind which the consensus engine stands.
 *
 * <p>Nothing outside an implementation knows the engine. Commands are committed in one order and applied at every node that can be
 * reached; a node that cannot keeps what it has and catches up.
 */
public interface MetadataStore {
    /**
     * Submits a command. Any command may be submitted twice.
     *
     * @param answer hears once what became of it, on a thread of the store's choice; {@link Result#UNKNOWN} means submit again
     */
    void submit(Command command, Consumer<Result> answer);

    /** Reads this node's replica, whole commands only. The replica must not be kept. */
    <R> R read(Function<Metadata, R> reader);

    /**
     * Adds a listener: it hears where this node stands, and then of every change. It is called in order, one call at a time, and
     * must not wait; it may submit.
     */
    void subscribe(MetadataListener listener);

    /**
     * Tells every node, this one too, that whoever reads the topology here sees all commands up to this one. May be lost, and is
     * told again: it travels with the heartbeats.
     */
    void reportApplied(long applied);
}
