package io.warren.test.contract.invm;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Policy.AppliesTo;
import io.warren.test.contract.Administration;
import io.warren.test.contract.Policy;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** The operator's side of a broker in this JVM; the whole broker goes with the test, so nothing needs undoing. */
public final class InVmAdministration implements Administration {

    private final io.warren.core.Administration administration;
    private final String vhost;
    private final UnaryOperator<Policy> policies;

    /** For a vhost of a broker. */
    public InVmAdministration(io.warren.core.Administration administration, String vhost) {
        this(administration, vhost, policy -> policy);
    }

    /** @param policies what becomes of the policies that tests set */
    InVmAdministration(io.warren.core.Administration administration, String vhost, UnaryOperator<Policy> policies) {
        this.administration = administration;
        this.vhost = vhost;
        this.policies = policies;
    }

    @Override
    public void createVhost(String name) {
        administration.createVhost(name);
        administration.clearPermissions(name, "guest");
    }

    @Override
    public void deleteVhost(String name) {
        administration.deleteVhost(name);
    }

    @Override
    public void createUser(String user, String password, String... tags) {
        administration.putUser(user, password, tags);
    }

    @Override
    public void deleteUser(String user) {
        administration.deleteUser(user);
    }

    @Override
    public void setTags(String user, String... tags) {
        administration.setTags(user, tags);
    }

    @Override
    public void setPermissions(String inVhost, String user, String configure, String write, String read) {
        administration.setPermissions(inVhost, user, configure, write, read);
    }

    @Override
    public void clearPermissions(String inVhost, String user) {
        administration.clearPermissions(inVhost, user);
    }

    @Override
    public void setTopicPermissions(String inVhost, String user, String exchange, String write, String read) {
        administration.setTopicPermissions(inVhost, user, exchange, write, read);
    }

    @Override
    public void setPolicy(Policy policy) {
        administration.setPolicy(vhost, converted(policies.apply(policy)));
    }

    @Override
    public void clearPolicy(String name) {
        administration.clearPolicy(vhost, name);
    }

    @Override
    public void setOperatorPolicy(Policy policy) {
        administration.setOperatorPolicy(vhost, converted(policy));
    }

    @Override
    public void clearOperatorPolicy(String name) {
        administration.clearOperatorPolicy(vhost, name);
    }

    private static io.warren.core.metadata.Policy converted(Policy policy) {
        return new io.warren.core.metadata.Policy(
                policy.name(),
                policy.pattern(),
                AppliesTo.valueOf(policy.applyTo().toUpperCase(Locale.ROOT)),
                policy.priority(),
                FieldTable.of(policy.definition()));
    }

    @Override
    public void setMemoryAlarm(boolean raised) {
        administration.forceMemoryAlarm(raised);
    }
}
