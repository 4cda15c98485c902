package io.warren.test.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broker as one test sees it: empty, and nobody else's.
 *
 * <p>Made by a {@link DeploymentProvider} for one test and closed after it, together with every client the test opened. Used by the
 * test's thread only.
 */
public abstract class Deployment implements AutoCloseable {
    private final List<Client> clients = new ArrayList<>();
    private @Nullable Client first;
    private @Nullable ClientChannel publisher;

    /** For adapters. */
    protected Deployment() {}

    /** The vhost the test works in; reply texts contain it. */
    public abstract String vhost();

    /** The user who may do everything in {@link #vhost()}. */
    public abstract Login login();

    /** Whether contracts that need it can run here. */
    public abstract boolean offers(Capability capability);

    /** The operator's side, for deployments that offer it. */
    public abstract Administration administration();

    /** Lets time pass. */
    public abstract void advance(Duration duration);

    /** Connects or throws {@link ClosedException} with the reason of the refusal. */
    protected abstract Client open(Login login);

    /** Removes what the test made, after its clients are closed. */
    protected abstract void cleanUp();

    /** A further connection of the usual user. */
    public final Client connect() {
        return connect(login());
    }

    /** A further connection. */
    public final Client connect(Login login) {
        Client client = open(login);
        clients.add(client);
        return client;
    }

    /** The connection on which {@link #channel()} opens its channels. */
    public final Client client() {
        Client present = first;
        if (present == null || !present.isOpen()) {
            present = connect();
            first = present;
        }
        return present;
    }

    /** A new channel; all of them share one connection until it is closed. */
    public final ClientChannel channel() {
        return client().openChannel();
    }

    /**
     * Puts texts into a queue and returns when the broker has confirmed them, so that it shows in every queue's state.
     *
     * <p>Through a channel of its own, in confirm mode, on the shared connection.
     */
    public final void send(String queue, String... texts) {
        for (String text : texts) {
            publish("", queue, MessageProperties.none(), text);
        }
    }

    /** Publishes a text and returns when the broker has confirmed it, be it by a refusal. */
    public final void publish(String exchange, String routingKey, MessageProperties properties, String text) {
        ClientChannel present = publisher;
        if (present == null || !present.isOpen()) {
            present = channel();
            present.confirmSelect();
            publisher = present;
        }
        present.publish(exchange, routingKey, properties, text);
        present.publisherEvents().awaitConfirms();
    }

    /** Publishes a text without properties and returns when the broker has confirmed it. */
    public final void publish(String exchange, String routingKey, String text) {
        publish(exchange, routingKey, MessageProperties.none(), text);
    }

    /** Lets time pass. */
    public final void advanceMillis(long milliseconds) {
        advance(Duration.ofMillis(milliseconds));
    }

    @Override
    public final void close() {
        try {
            clients.forEach(Client::close);
        } finally {
            cleanUp();
        }
    }
}
