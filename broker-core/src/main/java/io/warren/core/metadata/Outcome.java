package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command.
 *
 * @param definitions the topology after it; as before if it was refused
 * @param refusal why it was refused, or null
 * @param changes what a running broker must act on, in order
 */
public record Outcome(Definitions definitions, @Nullable AmqpError refusal, List<Change> changes) {

    static Outcome applied(Definitions definitions, List<Change> changes) {
        return new Outcome(definitions, null, List.copyOf(changes));
    }

    static Outcome refused(Definitions definitions, AmqpError refusal) {
        return new Outcome(definitions, refusal, List.of());
    }
}
