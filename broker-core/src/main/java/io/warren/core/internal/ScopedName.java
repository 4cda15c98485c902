package io.warren.core.internal;

import org.jspecify.annotations.Nullable;

/**
 * The name of a queue or an exchange within its virtual host, as a key.
 *
 * <p>Equality is written out: what a record has by itself is put together when it is first called, and that is a good part
 * of a cold start.
 */
record ScopedName(String vhost, String name) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScopedName that && name.equals(that.name) && vhost.equals(that.vhost);
    }

    @Override
    public int hashCode() {
        return 31 * vhost.hashCode() + name.hashCode();
    }
}
