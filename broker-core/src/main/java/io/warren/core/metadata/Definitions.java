package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.routing.PersistentMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The whole topology as one immutable value; a {@link Command} makes the next one.
 *
 * <p>Publishers read the value that is current and see whole commands only. Values share what did not change, so that
 * a command costs what it changes and not what there is.
 *
 * @param nextQueueId the id the next queue gets
 */
public record Definitions(
        PersistentMap<String, VirtualHost> vhosts, PersistentMap<String, User> users, long nextQueueId) {

    /** The virtual host that always exists at first. */
    public static final String DEFAULT_VHOST = "/";

    /** Nothing but virtual host {@code /}. */
    public static Definitions initial() {
        return new Definitions(
                PersistentMap.<String, VirtualHost>empty().put(DEFAULT_VHOST, VirtualHost.created(DEFAULT_VHOST)),
                PersistentMap.empty(),
                1);
    }

    public @Nullable VirtualHost vhost(String name) {
        return vhosts.get(name);
    }

    public @Nullable User user(String name) {
        return users.get(name);
    }

    public Outcome apply(Command command) {
        return command.applyTo(this);
    }

    Definitions withVhost(VirtualHost vhost) {
        return new Definitions(vhosts.put(vhost.name(), vhost), users, nextQueueId);
    }

    Definitions withoutVhost(String vhost) {
        return new Definitions(vhosts.remove(vhost), users, nextQueueId);
    }

    Definitions withUsers(PersistentMap<String, User> changed) {
        return new Definitions(vhosts, changed, nextQueueId);
    }

    /** This topology, with the id the next queue gets: for who reads commands back. */
    public Definitions withNextQueueId(long next) {
        return new Definitions(vhosts, users, next);
    }

    /** Applies a change to one virtual host, or refuses because there is none of that name. */
    Outcome inVhost(String name, BiFunction<VirtualHost, List<Change>, VirtualHost> change) {
        VirtualHost vhost = vhosts.get(name);
        if (vhost == null) {
            return Outcome.refused(this, noVhost(name));
        }
        List<Change> changes = new ArrayList<>();
        try {
            return Outcome.applied(withVhost(change.apply(vhost, changes)), changes);
        } catch (Refused refused) {
            return Outcome.refused(this, refused.error);
        }
    }

    public static AmqpError noVhost(String name) {
        return AmqpError.connection(ReplyCode.NOT_ALLOWED, "vhost " + name + " not found");
    }

    /** Ends a change that is refused; caught where the command is applied, never seen outside. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient AmqpError error;

        Refused(AmqpError error) {
            super(error.text(), null, false, false);
            this.error = error;
        }
    }
}
