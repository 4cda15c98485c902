package io.warren.amqp.session;

import io.warren.core.message.FieldTable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who the server says it is.
 *
 * <p>Clients switch features on by product and version, so it answers as the RabbitMQ whose behaviour it has, and names
 * itself in properties of its own.
 *
 * @param product what clients look for
 * @param version what clients compare
 * @param clusterName shown to people
 * @param nodeName begins with {@code rabbit@}, which tests of clients look for
 * @param warrenVersion our own version
 */
public record Identity(String product, String version, String clusterName, String nodeName, String warrenVersion) {

    /** RabbitMQ 3.10.8. */
    public static final Identity DEFAULT =
            new Identity("RabbitMQ", "3.10.8", "rabbit@warren", "rabbit@warren", ownVersion());

    private static String ownVersion() {
        String version = Identity.class.getPackage().getImplementationVersion();
        return version == null ? "unreleased" : version;
    }

    /** This identity under another product and version. */
    public Identity as(String newProduct, String newVersion) {
        return new Identity(newProduct, newVersion, clusterName, nodeName, warrenVersion);
    }

    /** The properties in connection.start. */
    FieldTable serverProperties() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("capabilities", capabilities());
        properties.put("cluster_name", clusterName);
        properties.put("copyright", "The authors of Warren");
        properties.put("information", "Warren, RabbitMQ's model of messaging inside the JVM");
        properties.put("platform", "Java");
        properties.put("product", product);
        properties.put("version", version);
        properties.put("node", nodeName);
        properties.put("warren_version", warrenVersion);
        return FieldTable.of(properties);
    }

    private static Map<String, Object> capabilities() {
        Map<String, Object> capabilities = new LinkedHashMap<>();
        capabilities.put("publisher_confirms", true);
        capabilities.put("exchange_exchange_bindings", true);
        capabilities.put("basic.nack", true);
        capabilities.put("consumer_cancel_notify", true);
        capabilities.put("connection.blocked", true);
        capabilities.put("consumer_priorities", true);
        capabilities.put("authentication_failure_close", true);
        capabilities.put("per_consumer_qos", true);
        capabilities.put("direct_reply_to", true);
        return capabilities;
    }
}
