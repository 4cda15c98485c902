package io.warren.mirroring.node;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.spi.MetadataStore;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The topology of one node's broker, whose declares say where this node wants the queue. */
final class PlacedTopology implements MetadataStore {
    private final MetadataStore topology;
    private final Function<QueueDefinition, @Nullable String> home;

    PlacedTopology(MetadataStore topology, Function<QueueDefinition, @Nullable String> home) {
        this.topology = topology;
        this.home = home;
    }

    @Override
    public Definitions current() {
        return topology.current();
    }

    @Override
    public CompletionStage<Outcome> submit(Command command) {
        return topology.submit(placed(command));
    }

    private Command placed(Command command) {
        if (!(command instanceof Command.DeclareQueue declare)
                || declare.definition().isExclusive()
                || declare.definition().home() != null) {
            return command;
        }
        String node = home.apply(declare.definition());
        return node == null
                ? command
                : new Command.DeclareQueue(declare.vhost(), declare.definition().at(node));
    }

    @Override
    public void subscribe(Consumer<Outcome> listener) {
        topology.subscribe(listener);
    }

    @Override
    public void close() {
        topology.close();
    }
}
