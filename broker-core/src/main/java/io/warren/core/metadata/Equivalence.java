package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares a declare with what exists; the first difference is what the client is told. */
final class Equivalence {

    private final String object;
    private @Nullable AmqpError difference;

    /** @param object kind, name and virtual host, as texts name it */
    Equivalence(String object) {
        this.object = object;
    }

    void check(String property, Object received, Object current) {
        if (!received.equals(current)) {
            differs(property, "received '" + received + "' but current is '" + current + "'");
        }
    }

    /**
     * Integers are compared by value whatever their width, everything else by type and value. RabbitMQ tells the types
     * only where one side has nothing, so that 10000 can differ from 10000 on the wire; the log tells more.
     */
    void checkArguments(FieldTable received, FieldTable current, Collection<String> names) {
        for (String name : names) {
            if (isEquivalent(received, current, name)) {
                continue;
            }
            if (received.has(name) && current.has(name)) {
                differs(name, "received '" + received.get(name) + "' but current is '" + current.get(name) + "'");
            } else {
                differs(name, "received " + described(received, name) + " but current is " + described(current, name));
            }
        }
    }

    private static boolean isEquivalent(FieldTable received, FieldTable current, String name) {
        Object left = received.get(name);
        Object right = current.get(name);
        if (left instanceof Number a && right instanceof Number b && FieldType.isInteger(a) && FieldType.isInteger(b)) {
            return a.longValue() == b.longValue();
        }
        return received.has(name) == current.has(name) && Objects.deepEquals(left, right);
    }

    private static String described(FieldTable table, String name) {
        if (!table.has(name)) {
            return "none";
        }
        Object value = table.get(name);
        return "the value '" + value + "' of type '" + FieldType.nameOf(value) + "'";
    }

    private void differs(String property, String how) {
        if (difference == null) {
            difference = AmqpError.channel(
                    ReplyCode.PRECONDITION_FAILED, "inequivalent arg '" + property + "' for " + object + ": " + how);
        }
    }

    @Nullable AmqpError difference() {
        return difference;
    }
}
