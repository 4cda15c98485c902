package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.MetadataStoreContract;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Ratis takes seconds to start: one cluster for all of the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RatisMetadataContractTest extends MetadataStoreContract {
    private RaftCluster cluster;

    @BeforeAll
    void start(@TempDir Path directory) {
        cluster = new RaftCluster(directory).with("A", "B", "C");
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Override
    protected MetadataStore node(String name) {
        return cluster.node(name);
    }

    @Override
    protected void isolate(String name) {
        CompletableFuture.allOf(cluster.names().stream()
                        .filter(other -> !other.equals(name))
                        .map(cluster::killLater)
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    @Override
    protected void heal() {
        cluster.restartAll(List.of("B", "C"));
        cluster.leader();
    }
}
