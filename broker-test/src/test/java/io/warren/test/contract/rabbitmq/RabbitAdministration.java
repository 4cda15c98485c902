package io.warren.test.contract.rabbitmq;

import io.warren.test.contract.Administration;
import io.warren.test.contract.Policy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The operator's side through rabbitmqctl; remembers how to undo what it did. */
final class RabbitAdministration implements Administration {
    private final RabbitControl control;
    private final String vhost;
    private final Deque<List<String>> undo = new ArrayDeque<>();

    RabbitAdministration(RabbitControl control, String vhost) {
        this.control = control;
        this.vhost = vhost;
    }

    @Override
    public void createVhost(String name) {
        control.run("add_vhost", name);
        undo.push(List.of("delete_vhost", name));
    }

    @Override
    public void deleteVhost(String name) {
        control.run("delete_vhost", name);
        undo.remove(List.of("delete_vhost", name));
    }

    @Override
    public void createUser(String user, String password, String... tags) {
        control.run("add_user", user, password);
        undo.push(List.of("delete_user", user));
        if (tags.length > 0) {
            setTags(user, tags);
        }
    }

    @Override
    public void deleteUser(String user) {
        control.run("delete_user", user);
        undo.remove(List.of("delete_user", user));
    }

    @Override
    public void setTags(String user, String... tags) {
        var arguments = new ArrayList<>(List.of("set_user_tags", user));
        arguments.addAll(List.of(tags));
        control.run(arguments.toArray(String[]::new));
    }

    @Override
    public void setPermissions(String inVhost, String user, String configure, String write, String read) {
        control.run("set_permissions", "-p", inVhost, user, configure, write, read);
    }

    @Override
    public void clearPermissions(String inVhost, String user) {
        control.run("clear_permissions", "-p", inVhost, user);
    }

    @Override
    public void setTopicPermissions(String inVhost, String user, String exchange, String write, String read) {
        control.run("set_topic_permissions", "-p", inVhost, user, exchange, write, read);
    }

    @Override
    public void setPolicy(Policy policy) {
        set("set_policy", "clear_policy", policy);
    }

    @Override
    public void clearPolicy(String name) {
        clear("clear_policy", name);
    }

    @Override
    public void setOperatorPolicy(Policy policy) {
        set("set_operator_policy", "clear_operator_policy", policy);
    }

    @Override
    public void clearOperatorPolicy(String name) {
        clear("clear_operator_policy", name);
    }

    private void set(String command, String opposite, Policy policy) {
        control.run(
                command,
                "-p",
                vhost,
                "--priority",
                Integer.toString(policy.priority()),
                "--apply-to",
                policy.applyTo(),
                policy.name(),
                policy.pattern(),
                json(policy.definition()));
        var clearing = List.of(opposite, "-p", vhost, policy.name());
        if (!undo.contains(clearing)) {
            undo.push(clearing);
        }
    }

    private void clear(String command, String name) {
        var arguments = List.of(command, "-p", vhost, name);
        control.run(arguments.toArray(String[]::new));
        undo.remove(arguments);
    }

    @Override
    public void setMemoryAlarm(boolean raised) {
        var clearing = List.of("eval", "rabbit_alarm:clear_alarm({resource_limit, memory, node()}).");
        if (raised) {
            undo.push(clearing);
            control.run("eval", "rabbit_alarm:set_alarm({{resource_limit, memory, node()}, []}).");
        } else {
            control.run(clearing.toArray(String[]::new));
            undo.remove(clearing);
        }
    }

    void undoAll() {
        while (!undo.isEmpty()) {
            control.run(undo.pop().toArray(String[]::new));
        }
    }

    private static String json(Map<String, Object> definition) {
        return definition.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + json(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String json(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(RabbitAdministration::json).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Number ? value.toString() : "\"" + value + "\"";
    }
}
