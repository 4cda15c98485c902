package io.warren.test.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The contracts, what they cite, and which of them passed on a real RabbitMQ.
 *
 * <p>What must be covered is the resource {@code contract-coverage.txt}; what stands is read from the annotations of the
 * compiled contracts.
 */
final class ContractIndex {

    static final String REFERENCE = "rabbitmq-3.10.8";

    /** Row or case, as {@code row A1}, to its title; in the order of the file. */
    final Map<String, String> required = new LinkedHashMap<>();

    /** Contracts, as {@code Class.method}. */
    final TreeSet<String> passed = new TreeSet<>();

    final TreeMap<String, Contract> contracts = new TreeMap<>();

    /** Row or case to the contracts that cite it. */
    final TreeMap<String, List<String>> citing = new TreeMap<>();

    private ContractIndex() {}

    static ContractIndex read() throws IOException, URISyntaxException, ClassNotFoundException {
        ContractIndex index = new ContractIndex();
        index.readRequired();
        index.passed.addAll(lines("/passed-on-" + REFERENCE + ".txt"));
        index.readContracts();
        return index;
    }

    private void readRequired() throws IOException {
        for (String line : lines("/contract-coverage.txt")) {
            String[] words = line.split(" ", 3);
            required.put(words[0] + " " + words[1], words[2]);
        }
    }

    /** The lines of a resource that are no comments; none if it is not there. */
    static List<String> lines(String resource) throws IOException {
        try (InputStream input = ContractIndex.class.getResourceAsStream(resource)) {
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
        Path root = Path.of(ContractIndex.class
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
}
