package io.warren.routing;

/**
 * A routing key cut at its dots, without a string for each word.
 *
 * <p>Words are numbered from 0. They may be empty ("a..b" has three words), but the empty key has no word at all, as in
 * RabbitMQ: "#" matches it and "*" does not. Hash codes are those of {@link String}, so that a word can be looked up
 * among strings; they are computed once, however many trie nodes ask.
 */
final class RoutingKey {

    private final String text;
    private final int wordCount;
    /** Where each word ends, and its hash code: two numbers for each word. */
    private final int[] words;

    RoutingKey(String text) {
        this.text = text;
        this.wordCount = countWords(text);
        this.words = new int[2 * wordCount];
        int hash = 0;
        int word = 0;
        for (int i = 0; word < wordCount; i++) {
            if (i == text.length() || text.charAt(i) == '.') {
                words[2 * word] = i;
                words[2 * word + 1] = hash;
                word++;
                hash = 0;
            } else {
                hash = 31 * hash + text.charAt(i);
            }
        }
    }

    private static int countWords(String text) {
        int count = text.isEmpty() ? 0 : 1;
        for (int i = text.indexOf('.'); i >= 0; i = text.indexOf('.', i + 1)) {
            count++;
        }
        return count;
    }

    int wordCount() {
        return wordCount;
    }

    /** The word as a string, for patterns, which are kept. */
    String word(int word) {
        return text.substring(start(word), end(word));
    }

    int hashOfWord(int word) {
        return words[2 * word + 1];
    }

    boolean isWord(int word, Object candidate) {
        int start = start(word);
        int length = end(word) - start;
        return candidate instanceof String string && string.length() == length && text.startsWith(string, start);
    }

    private int start(int word) {
        return word == 0 ? 0 : end(word - 1) + 1;
    }

    private int end(int word) {
        return words[2 * word];
    }
}
