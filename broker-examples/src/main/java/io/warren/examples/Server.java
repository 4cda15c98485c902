package io.warren.examples;

import io.warren.examples.server.RunningServer;
import io.warren.examples.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** A broker as a process of its own, for AMQP clients. */
public final class Server {

    private Server() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            serve(ServerOptions.of(arguments));
        } catch (IllegalArgumentException mistaken) {
            System.err.println("server: " + mistaken.getMessage());
            System.err.println(ServerOptions.USAGE);
            System.exit(2);
        } catch (IOException | UncheckedIOException | IllegalStateException unusable) {
            System.err.println("server: " + unusable.getMessage());
            System.exit(1);
        }
    }

    private static void serve(ServerOptions options) throws IOException, InterruptedException {
        RunningServer server = RunningServer.start(options);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
        System.out.println(server.announcement());
        new CountDownLatch(1).await();
    }
}
