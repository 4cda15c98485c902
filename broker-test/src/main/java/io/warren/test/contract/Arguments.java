package io.warren.test.contract;

import java.util.HashMap;
import java.util.Map;

/** Grows argument tables by copying them. */
final class Arguments {
    private Arguments() {}

    static Map<String, Object> with(Map<String, Object> arguments, String name, Object value) {
        var grown = new HashMap<>(arguments);
        grown.put(name, value);
        return grown;
    }
}
