package io.warren.examples.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.stream.Collectors;

/** A command's words in one line, and apart again. Names of queues may have spaces and line breaks: words are written as in URLs. */
public final class CommandWords {

    private CommandWords() {}

    public static String join(List<String> words) {
        return words.stream().map(word -> URLEncoder.encode(word, UTF_8)).collect(Collectors.joining(" "));
    }

    /** @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits */
    static List<String> split(String line) {
        return List.of(line.strip().split("\\s+")).stream()
                .map(word -> URLDecoder.decode(word, UTF_8))
                .toList();
    }
}
