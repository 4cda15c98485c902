package io.warren.core.metadata;

import io.warren.core.message.FieldTable;
import java.util.regex.Pattern;

/**
 * A policy, or an operator policy: arguments for every object whose name it matches.
 *
 * @param pattern a regular expression, found anywhere in the name
 * @param priority of those that match, the highest applies alone
 * @param definition keys without {@code x-}, such as {@code message-ttl}
 */
public record Policy(String name, String pattern, AppliesTo appliesTo, int priority, FieldTable definition) {

    public Policy {
        // Refused here, where it is given, and not when a queue is declared.
        Pattern.compile(pattern);
    }

    /** What a policy can apply to. */
    public enum AppliesTo {
        /** Queues only. */
        QUEUES("queues"),
        /** Exchanges only. */
        EXCHANGES("exchanges"),
        /** Both. */
        ALL("all");

        private final String argument;

        AppliesTo(String argument) {
            this.argument = argument;
        }

        /** As RabbitMQ's commands and definitions name it. */
        public String argument() {
            return argument;
        }
    }

    boolean matches(AppliesTo kind, String objectName) {
        return (appliesTo == AppliesTo.ALL || appliesTo == kind)
                && Pattern.compile(pattern).matcher(objectName).find();
    }
}
