package io.warren.core.store;

import java.util.Locale;

/** How the files of a store are called. */
final class FileNames {

    static final String LOCK = "lock";
    static final String METADATA = "metadata-";
    static final String WAL = "wal-";
    private static final String SEGMENT = "queue-";
    private static final String LOG_END = ".log";
    private static final String SEGMENT_END = ".seg";

    /** Files being made, which are nothing until they have another name. */
    static final String UNFINISHED_END = ".new";

    private FileNames() {}

    static String log(String prefix, long number) {
        return prefix + String.format(Locale.ROOT, "%010d", number) + LOG_END;
    }

    static String segment(long queueId, long number) {
        return SEGMENT + queueId + "-" + number + SEGMENT_END;
    }

    /** The number in the name of a log of that prefix, or -1. */
    static long logNumber(String prefix, String name) {
        return name.startsWith(prefix) && name.endsWith(LOG_END)
                ? number(name.substring(prefix.length(), name.length() - LOG_END.length()))
                : -1;
    }

    static boolean isSegment(String name) {
        return name.startsWith(SEGMENT) && name.endsWith(SEGMENT_END);
    }

    /** The number in the name of a segment, or -1. */
    static long segmentNumber(String name) {
        return isSegment(name)
                ? number(name.substring(name.lastIndexOf('-') + 1, name.length() - SEGMENT_END.length()))
                : -1;
    }

    private static long number(String digits) {
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : -1;
    }
}
