package io.warren.test.contract;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;

/** Runs a {@link Contract} once on every active deployment, each time on an empty one. */
final class ContractExtension implements TestTemplateInvocationContextProvider {
    private static final Namespace NAMESPACE = Namespace.create(ContractExtension.class);

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Contract.class);
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        var run = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent("run", key -> new ContractRun(), ContractRun.class);
        return run.providers().stream().map(provider -> new Invocation(run, provider));
    }

    private record Invocation(ContractRun run, DeploymentProvider provider) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return provider.name();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new OneTest(run, provider));
        }
    }

    /** Opens the deployment before the test, hands it in, closes it afterwards and notes the outcome. */
    private static final class OneTest
            implements BeforeEachCallback, AfterEachCallback, ParameterResolver, TestWatcher {
        private final ContractRun run;
        private final DeploymentProvider provider;

        OneTest(ContractRun run, DeploymentProvider provider) {
            this.run = run;
            this.provider = provider;
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            Deployment deployment = deployment(context);
            Contract contract = context.getRequiredTestMethod().getAnnotation(Contract.class);
            Assumptions.assumeFalse(
                    provider.isReference() && !contract.notOnReference().isEmpty(), contract::notOnReference);
            for (Capability needed : contract.needs()) {
                Assumptions.assumeTrue(deployment.offers(needed), () -> provider.name() + " does not offer " + needed);
            }
        }

        @Override
        public void afterEach(ExtensionContext context) {
            // Removed first: what is left in a store is closed by JUnit, a second time.
            Deployment opened = context.getStore(NAMESPACE).remove("deployment", Deployment.class);
            if (opened != null) {
                opened.close();
            }
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Deployment.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return deployment(context);
        }

        private Deployment deployment(ExtensionContext context) {
            return context.getStore(NAMESPACE)
                    .getOrComputeIfAbsent("deployment", key -> provider.open(), Deployment.class);
        }

        @Override
        public void testSuccessful(ExtensionContext context) {
            run.onPassed(provider, testId(context));
        }

        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            run.onNotPassed(provider, testId(context));
        }

        @Override
        public void testAborted(ExtensionContext context, Throwable cause) {
            run.onNotPassed(provider, testId(context));
        }

        @Override
        public void testDisabled(ExtensionContext context, Optional<String> reason) {
            run.onNotPassed(provider, testId(context));
        }

        private static String testId(ExtensionContext context) {
            return context.getRequiredTestClass().getSimpleName() + "."
                    + context.getRequiredTestMethod().getName();
        }
    }
}
