package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes that a node needs when it takes over from one that has died, and not before: those of Ratis for an election and for who leads, and our
 * own for a queue that is led here now and for channels that go on at its new master.
 *
 * <p>Loaded when they are needed they took the larger part of the time from the vote to a leader that takes commands, and as much again until the
 * first delivery. A name that is not there costs that time and nothing else. A thread of its own does it, once, when the process starts.
 */
final class TakeoverClasses {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverClasses.class);
    private static final String RESOURCE = "takeover.classes";

    private TakeoverClasses() {}

    /** Loads them without anybody waiting for that. */
    static void loadBeside(String node) {
        Thread loading = new Thread(
                () -> {
                    List<String> unused = load();
                },
                "warren-" + node + "-classes");
        loading.setDaemon(true);
        loading.start();
    }

    /** Loads them all; returns the names of those that are not there. */
    static List<String> load() {
        List<String> absent = new ArrayList<>();
        for (String name : names()) {
            try {
                Class.forName(name, true, TakeoverClasses.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError notThere) {
                LOG.debug("there is no {}", name, notThere);
                absent.add(name);
            }
        }
        return absent;
    }

    private static List<String> names() {
        try (InputStream file = Objects.requireNonNull(TakeoverClasses.class.getResourceAsStream(RESOURCE), RESOURCE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + RESOURCE, unreadable);
        }
    }
}
