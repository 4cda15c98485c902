package io.warren.test.contract;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Grows argument tables by copying them. */
final class Arguments {
    private Arguments() {}

    /** As {@link Map#copyOf}, which takes no null. */
    static Map<String, Object> copy(Map<String, Object> arguments) {
        return Collections.unmodifiableMap(new HashMap<>(arguments));
    }

    static Map<String, Object> with(Map<String, Object> arguments, String name, Object value) {
        var grown = new HashMap<>(arguments);
        grown.put(name, value);
        return grown;
    }
}
