package io.warren.mirroring.link.tcp;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says the same thing once a minute only: a peer that is refused dials again. Owned by the links' thread.
 *
 * <p>Limit: a hundred things; of more the one said longest ago is forgotten, and may be said again.
 */
final class Complaints {
    private static final int KNOWN_MAX = 100;
    private static final long REPEAT_NS = 60_000_000_000L;

    private final Map<String, Long> saidNs = new LinkedHashMap<>();

    boolean isNew(String complaint, long nowNs) {
        Long before = saidNs.get(complaint);
        if (before != null && nowNs - before < REPEAT_NS) {
            return false;
        }
        saidNs.remove(complaint);
        saidNs.put(complaint, nowNs);
        if (saidNs.size() > KNOWN_MAX) {
            Iterator<String> oldest = saidNs.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return true;
    }
}
