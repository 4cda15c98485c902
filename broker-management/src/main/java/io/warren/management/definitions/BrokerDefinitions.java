package io.warren.management.definitions;

import io.warren.core.Broker;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A broker's virtual hosts, users, permissions, policies, exchanges, queues and bindings as RabbitMQ's JSON. */
public final class BrokerDefinitions {

    private BrokerDefinitions() {}

    /**
     * Adds what a file defines to a broker. What exists is kept: users, permissions and policies of the same name are
     * replaced, queues and exchanges are not.
     *
     * <p>As RabbitMQ does, it goes on after what is refused, such as a binding to something that is not there; the report
     * tells what that was.
     *
     * @throws UncheckedIOException if the file cannot be read
     * @throws IllegalArgumentException if it is not JSON, or not of this form
     */
    public static ImportReport importFrom(Path file, Broker broker) {
        try (Reader text = Files.newBufferedReader(file)) {
            return importFrom(text, broker);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    /** As {@link #importFrom(Path, Broker)}. */
    public static ImportReport importFrom(Reader text, Broker broker) throws IOException {
        JsonObject all = new JsonObject("", Json.read(text));
        return new DefinitionsImport(broker.administration(), all).run();
    }

    /** All of it as text that RabbitMQ 3.10 imports: in it are password hashes. Exclusive queues are left out. */
    public static String exportOf(Broker broker) {
        try {
            return Json.write(DefinitionsExport.of(broker.administration().definitions()));
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing into memory", impossible);
        }
    }

    /**
     * Writes all of it to a file.
     *
     * @throws UncheckedIOException if that fails
     */
    public static void exportTo(Path file, Broker broker) {
        try {
            Files.writeString(file, exportOf(broker));
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write " + file, unwritable);
        }
    }
}
