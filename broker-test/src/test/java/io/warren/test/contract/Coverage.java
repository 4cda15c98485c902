package io.warren.test.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints which contracts stand for each row and each case, which of them passed on RabbitMQ, and what is missing; ends with status 1
 * if anything is.
 *
 * <p>What must be covered is the resource {@code contract-coverage.txt}; what stands is read from the annotations of the compiled
 * contracts.
 */
public final class Coverage {
    private static final String REFERENCE = "rabbitmq-3.10.8";

    private final Map<String, String> required = new LinkedHashMap<>();
    private final TreeSet<String> passed = new TreeSet<>();
    private final TreeMap<String, Contract> contracts = new TreeMap<>();
    private final TreeMap<String, List<String>> citing = new TreeMap<>();

    private Coverage() {}

    public static void main(String[] arguments) throws Exception {
        var coverage = new Coverage();
        coverage.readRequired();
        coverage.passed.addAll(lines("/passed-on-" + REFERENCE + ".txt"));
        coverage.readContracts();
        int problems = coverage.print(System.out);
        System.exit(problems == 0 ? 0 : 1);
    }

    private void readRequired() throws IOException {
        for (String line : lines("/contract-coverage.txt")) {
            String[] words = line.split(" ", 3);
            required.put(words[0] + " " + words[1], words[2]);
        }
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream input = Coverage.class.getResourceAsStream(resource)) {
            if (input == null) {
                return List.of();
            }
            var reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    private void readContracts() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(Coverage.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(file -> file.toString().endsWith("ContractTest.class"))
                    .toList();
        }
        for (Path file : files) {
            String path = root.relativize(file).toString();
            String name = path.substring(0, path.length() - ".class".length())
                    .replace(file.getFileSystem().getSeparator(), ".");
            readContracts(Class.forName(name));
        }
    }

    private void readContracts(Class<?> contractClass) {
        for (Method method : contractClass.getDeclaredMethods()) {
            Contract contract = method.getAnnotation(Contract.class);
            if (contract == null) {
                continue;
            }
            String id = contractClass.getSimpleName() + "." + method.getName();
            contracts.put(id, contract);
            Stream.of(contractClass, method).forEach(source -> {
                cite(
                        id,
                        "row",
                        Arrays.stream(source.getAnnotationsByType(Row.class)).map(Row::value));
                cite(
                        id,
                        "case",
                        Arrays.stream(source.getAnnotationsByType(Case.class)).map(Case::value));
            });
        }
    }

    private void cite(String id, String kind, Stream<String> values) {
        values.forEach(value -> {
            List<String> tests = citing.computeIfAbsent(kind + " " + value, key -> new ArrayList<>());
            if (!tests.contains(id)) {
                tests.add(id);
            }
        });
    }

    private int print(PrintStream out) {
        out.println("+ passed on " + REFERENCE
                + "   ! RabbitMQ is known to do worse, see the reason   - did not pass there or was skipped");
        required.forEach((key, title) -> printTests(out, key, title));
        citing.keySet().stream()
                .filter(key -> !required.containsKey(key))
                .forEach(key -> printTests(out, key, "(not required)"));
        List<String> uncited = required.keySet().stream()
                .filter(key -> !citing.containsKey(key))
                .toList();
        List<String> stale =
                passed.stream().filter(id -> !contracts.containsKey(id)).toList();
        List<String> unproven = contracts.entrySet().stream()
                .filter(entry -> !passed.contains(entry.getKey()))
                .map(entry -> entry.getKey() + reason(entry.getValue()))
                .toList();
        out.println();
        out.println(contracts.size() + " contracts, " + passed.size() + " passed on " + REFERENCE);
        printList(out, "not passed there", unproven);
        printList(out, "listed as passed, but gone", stale);
        printList(out, "missing", uncited);
        return uncited.size() + stale.size();
    }

    private void printTests(PrintStream out, String key, String title) {
        List<String> tests = citing.getOrDefault(key, List.of());
        out.println(key + " " + title + ": " + tests.size());
        tests.stream().sorted(Comparator.naturalOrder()).forEach(id -> out.println("  " + mark(id) + " " + id));
    }

    private String mark(String id) {
        if (passed.contains(id)) {
            return "+";
        }
        Contract contract = contracts.get(id);
        return contract == null || contract.notOnReference().isEmpty() ? "-" : "!";
    }

    private static String reason(Contract contract) {
        if (!contract.notOnReference().isEmpty()) {
            return ": " + contract.notOnReference();
        }
        return contract.needs().length == 0 ? "" : ": needs " + List.of(contract.needs());
    }

    private static void printList(PrintStream out, String title, List<String> entries) {
        out.println(title + ": " + entries.size());
        entries.forEach(entry -> out.println("  " + entry));
    }
}
