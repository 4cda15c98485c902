package io.warren.test.contract.rabbitmq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a command that takes rabbitmqctl's arguments. */
final class RabbitControl {
    private final List<String> command;

    RabbitControl(String command) {
        this.command = List.of(command.trim().split("\\s+"));
    }

    String run(String... arguments) {
        var line = new ArrayList<>(command);
        line.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IllegalStateException("exit=" + exit + " arguments=" + List.of(arguments) + ": " + output);
            }
            return output;
        } catch (IOException notRun) {
            throw new UncheckedIOException(notRun);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + List.of(arguments), interrupted);
        }
    }
}
