package io.warren.test.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The page that says, feature by feature, what is as in RabbitMQ: written from the contracts and from what passed there.
 *
 * <p><i>Same</i> is said only of a row all of whose contracts passed on RabbitMQ 3.10.8. What differs on purpose, and rows that
 * no contract can speak for, are in the resource {@code compatibility-notes.txt}.
 */
final class Compatibility {

    private static final String INTRODUCTION =
            """
            # Compatibility

            What is as in RabbitMQ, feature by feature. Written by a test from the contracts in broker-test: *same* where every contract of the row
            also passed on a real RabbitMQ 3.10.8, *differs* where one says otherwise or a note says how, *there* where tests of another kind stand for it,
            *not there* where nothing is. The contracts run within the JVM, over AMQP, through RabbitMQ's Java client in memory, on a durable broker, and on
            clusters, with plain queues and with mirrored ones.

            | row | feature | as RabbitMQ | contracts | what differs |
            |---|---|---|---|---|
            """;

    /** One line of the notes: {@code row|status|text}; a status of {@code -} leaves it to the contracts. */
    private record Note(String status, String text) {}

    private final ContractIndex index;
    private final Map<String, List<Note>> notes = new LinkedHashMap<>();

    Compatibility(ContractIndex index, List<String> noteLines) {
        this.index = index;
        for (String line : noteLines) {
            String[] parts = line.split("\\|", 3);
            notes.computeIfAbsent(parts[0], row -> new ArrayList<>()).add(new Note(parts[1], parts[2]));
        }
    }

    /** The page. */
    String page() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        TreeSet<String> rows = new TreeSet<>(Compatibility::compareRows);
        index.required.keySet().stream()
                .filter(key -> key.startsWith("row "))
                .map(key -> key.substring(4))
                .forEach(rows::add);
        rows.addAll(notes.keySet());
        rows.forEach(row -> page.append(line(row)).append('\n'));
        return page.toString();
    }

    private static int compareRows(String one, String other) {
        int byLetter = Character.compare(one.charAt(0), other.charAt(0));
        return byLetter != 0 ? byLetter : Integer.parseInt(one.substring(1)) - Integer.parseInt(other.substring(1));
    }

    private String line(String row) {
        List<String> contracts = index.citing.getOrDefault("row " + row, List.of());
        List<String> differences = new ArrayList<>();
        contracts.stream()
                .filter(contract -> !index.passed.contains(contract))
                .map(this::difference)
                .distinct()
                .forEach(differences::add);
        String title = index.required.getOrDefault("row " + row, "");
        String status = contracts.isEmpty() ? "not there" : differences.isEmpty() ? "same" : "differs";
        for (Note note : notes.getOrDefault(row, List.of())) {
            if (title.isEmpty()) {
                title = note.text();
                status = note.status();
            } else {
                differences.add(note.text());
                status = note.status().equals("-") ? status : note.status();
            }
        }
        return "| " + row + " | " + title + " | " + status + " | " + (contracts.isEmpty() ? "" : contracts.size())
                + " | " + String.join("; ", differences) + " |";
    }

    private String difference(String contract) {
        Contract annotation = index.contracts.get(contract);
        if (annotation != null && annotation.needs().length > 0) {
            return "RabbitMQ needs a plugin for it: not compared";
        }
        return annotation == null || annotation.notOnReference().isEmpty()
                ? "not shown on RabbitMQ: `" + contract + "`"
                : annotation.notOnReference();
    }
}
