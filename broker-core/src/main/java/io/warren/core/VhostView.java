package io.warren.core;

import io.warren.core.internal.BrokerWiring;
import io.warren.core.metadata.VirtualHost;
import java.util.ArrayList;
import java.util.List;

/** A look at a virtual host. Every call looks anew. */
public final class VhostView {

    private final String name;
    private final BrokerWiring wiring;
    private final Waiting waiting;

    VhostView(String name, BrokerWiring wiring, Waiting waiting) {
        this.name = name;
        this.wiring = wiring;
        this.waiting = waiting;
    }

    public String name() {
        return name;
    }

    public boolean exists() {
        return wiring.definitions().vhost(name) != null;
    }

    /** A view of a queue; it need not exist until it is asked something. */
    public QueueView queue(String queue) {
        return new QueueView(name, queue, wiring, waiting);
    }

    /** Names of all queues, sorted. */
    public List<String> queueNames() {
        List<String> names = new ArrayList<>();
        vhost().queues().keys().forEach(names::add);
        names.sort(null);
        return names;
    }

    /** Names of all exchanges, sorted; the default exchange is the empty one. */
    public List<String> exchangeNames() {
        List<String> names = new ArrayList<>();
        vhost().exchanges().keys().forEach(names::add);
        names.sort(null);
        return names;
    }

    private VirtualHost vhost() {
        VirtualHost vhost = wiring.definitions().vhost(name);
        if (vhost == null) {
            throw new IllegalStateException("there is no vhost '" + name + "'");
        }
        return vhost;
    }
}
