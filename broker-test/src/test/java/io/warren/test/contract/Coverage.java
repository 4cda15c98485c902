package io.warren.test.contract;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;

/**
 * Prints which contracts stand for each row and each case, which of them passed on RabbitMQ, and what is missing; ends with status 1
 * if anything is.
 */
public final class Coverage {

    private final ContractIndex index;

    private Coverage(ContractIndex index) {
        this.index = index;
    }

    public static void main(String[] arguments) throws Exception {
        int problems = new Coverage(ContractIndex.read()).print(System.out);
        System.exit(problems == 0 ? 0 : 1);
    }

    private int print(PrintStream out) {
        out.println("+ passed on " + ContractIndex.REFERENCE
                + "   ! RabbitMQ is known to do worse, see the reason   - did not pass there or was skipped");
        index.required.forEach((key, title) -> printTests(out, key, title));
        index.citing.keySet().stream()
                .filter(key -> !index.required.containsKey(key))
                .forEach(key -> printTests(out, key, "(not required)"));
        List<String> uncited = index.required.keySet().stream()
                .filter(key -> !index.citing.containsKey(key))
                .toList();
        List<String> stale = index.passed.stream()
                .filter(id -> !index.contracts.containsKey(id))
                .toList();
        List<String> unproven = index.contracts.entrySet().stream()
                .filter(entry -> !index.passed.contains(entry.getKey()))
                .map(entry -> entry.getKey() + reason(entry.getValue()))
                .toList();
        out.println();
        out.println(index.contracts.size() + " contracts, " + index.passed.size() + " passed on "
                + ContractIndex.REFERENCE);
        printList(out, "not passed there", unproven);
        printList(out, "listed as passed, but gone", stale);
        printList(out, "missing", uncited);
        return uncited.size() + stale.size();
    }

    private void printTests(PrintStream out, String key, String title) {
        List<String> tests = index.citing.getOrDefault(key, List.of());
        out.println(key + " " + title + ": " + tests.size());
        tests.stream().sorted(Comparator.naturalOrder()).forEach(id -> out.println("  " + mark(id) + " " + id));
    }

    private String mark(String id) {
        if (index.passed.contains(id)) {
            return "+";
        }
        Contract contract = index.contracts.get(id);
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
