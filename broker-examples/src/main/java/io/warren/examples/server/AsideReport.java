package io.warren.examples.server;

import io.warren.mirroring.entrylog.SetAside;
import java.util.List;
import java.util.stream.Collectors;

/** Copies that were set aside as {@code cluster aside} prints them: one a line. */
final class AsideReport {

    private AsideReport() {}

    static String of(List<SetAside> sets) {
        return sets.isEmpty()
                ? "nothing is set aside"
                : sets.stream().map(AsideReport::line).collect(Collectors.joining("\n"));
    }

    private static String line(SetAside set) {
        String first = set.firstAddress();
        return set.name() + ": " + set.messages().size() + " messages"
                + (first == null ? "" : ", the first to exchange and key " + first);
    }
}
