package io.warren.mirroring.metadata;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One node's end of the metadata log: the port behind which the consensus engine stands.
 *
 * <p>Nothing outside an implementation knows the engine. Commands are committed in one order and applied at every node that can be
 * reached; a node that cannot keeps what it has and catches up.
 *
 * @param <C> type of the topology's commands
 */
public interface MetadataStore<C> {
    /**
     * Submits a command. Any command may be submitted twice.
     *
     * @param answer hears once what became of it, on a thread of the store's choice; {@link Result#UNKNOWN} means submit again
     */
    void submit(Command<C> command, Consumer<Result> answer);

    /** Reads this node's replica, whole commands only. The replica must not be kept. */
    <R> R read(Function<Metadata<C>, R> reader);

    /** Adds a listener to what is applied at this node from now on. It is called in order and must not wait. */
    void subscribe(MetadataListener listener);
}
