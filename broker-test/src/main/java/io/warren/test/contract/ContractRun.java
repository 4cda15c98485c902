package io.warren.test.contract;

import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * One run of contracts: the deployments it covers and, for those that decide what is right, what passed on them.
 *
 * <p>Lives in JUnit's root store, which closes it after the last test.
 */
final class ContractRun implements AutoCloseable {
    private final List<DeploymentProvider> providers;
    private final TreeMap<String, PassedList> references = new TreeMap<>();

    ContractRun() {
        providers = ServiceLoader.load(DeploymentProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(DeploymentProvider::isActive)
                .toList();
        for (DeploymentProvider provider : providers) {
            if (provider.isReference()) {
                references.put(provider.name(), new PassedList(provider.name()));
            }
        }
    }

    List<DeploymentProvider> providers() {
        return providers;
    }

    void onPassed(DeploymentProvider provider, String testId) {
        PassedList list = references.get(provider.name());
        if (list != null) {
            list.onPassed(testId);
        }
    }

    void onNotPassed(DeploymentProvider provider, String testId) {
        PassedList list = references.get(provider.name());
        if (list != null) {
            list.onNotPassed(testId);
        }
    }

    @Override
    public void close() {
        if (Boolean.getBoolean("warren.record")) {
            references.values().forEach(PassedList::write);
        }
        providers.forEach(DeploymentProvider::close);
    }
}
