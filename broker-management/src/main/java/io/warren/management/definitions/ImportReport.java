package io.warren.management.definitions;

import java.util.List;

/**
 * What of a definitions file has no effect.
 *
 * @param refused what the broker refused, with its place in the file and the reason
 * @param ignored what Warren has no place for
 */
public record ImportReport(List<String> refused, List<String> ignored) {

    public ImportReport {
        refused = List.copyOf(refused);
        ignored = List.copyOf(ignored);
    }
}
