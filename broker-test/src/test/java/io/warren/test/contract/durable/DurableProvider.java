package io.warren.test.contract.durable;

import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;
import io.warren.test.contract.invm.InVmDeployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Warren in this JVM with everything on disk, in a directory of its own for each test. */
public final class DurableProvider implements DeploymentProvider {

    @Override
    public String name() {
        return "durable";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        try {
            Path directory = Files.createTempDirectory("warren-contract");
            return new InVmDeployment(builder -> builder.dataDirectory(directory), () -> delete(directory));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
