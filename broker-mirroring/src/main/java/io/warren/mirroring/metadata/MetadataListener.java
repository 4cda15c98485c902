package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.View;

/** Hears of every change as it is applied, in order. */
public interface MetadataListener {
    /** A group has a new view. */
    void onView(String group, View view);

    /** A group is gone. */
    void onGroupDeleted(String group);

    /** Processes have ended or started. Comes before the views that follow from it. */
    void onNodes();
}
