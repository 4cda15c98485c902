package io.warren.test.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process has used so far, as Linux tells in /proc.
 *
 * @param cpuNs of all its threads that live, by thread
 * @param names of these threads, as far as Linux keeps them: 15 characters
 * @param residentBytes memory it has in RAM
 */
public record ProcessUse(Map<Long, Long> cpuNs, Map<Long, String> names, long residentBytes) {
    private static final int KIB = 1_024;

    public static ProcessUse of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Map<Long, Long> cpuNs = new TreeMap<>();
        Map<Long, String> names = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                long id = Long.parseLong(thread.getFileName().toString());
                try {
                    // Nanoseconds on a CPU, waiting for one, and times it got one.
                    String[] numbers =
                            Files.readString(thread.resolve("schedstat")).split(" ", -1);
                    cpuNs.put(id, Long.parseLong(numbers[0]));
                    names.put(id, Files.readString(thread.resolve("comm")).strip());
                } catch (NoSuchFileException ended) {
                    cpuNs.remove(id);
                }
            }
        }
        return new ProcessUse(cpuNs, names, residentBytes(process));
    }

    private static long residentBytes(Path process) throws IOException {
        for (String line : Files.readAllLines(process.resolve("status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
            }
        }
        throw new IOException(process + " says nothing of its memory");
    }

    public int threadCount() {
        return cpuNs.size();
    }

    /** What each kind of thread has used since; those of one name but for their number are one kind. */
    public Map<String, Long> sinceByKind(ProcessUse before) {
        Map<String, Long> kinds = new TreeMap<>();
        cpuNs.forEach((thread, usedNs) -> kinds.merge(
                names.getOrDefault(thread, "?").replaceAll("[0-9#]+$", ""),
                usedNs - before.cpuNs.getOrDefault(thread, 0L),
                Long::sum));
        return kinds;
    }

    public long sinceNs(ProcessUse before) {
        return sinceByKind(before).values().stream().mapToLong(Long::longValue).sum();
    }
}
