package io.warren.test.contract;

/**
 * What an operator does to a broker; each call returns when it has taken effect.
 *
 * <p>Whatever is made through it is undone when the deployment of the test is closed.
 */
public interface Administration {

    /** Makes a vhost, on which nobody has permissions yet. */
    void createVhost(String vhost);

    /** Removes a vhost with everything in it. */
    void deleteVhost(String vhost);

    /** Makes a user without permissions. */
    void createUser(String user, String password, String... tags);

    /** Removes a user. */
    void deleteUser(String user);

    /** Replaces a user's tags. */
    void setTags(String user, String... tags);

    /** Regular expressions of what the user may configure, write and read. */
    void setPermissions(String vhost, String user, String configure, String write, String read);

    /** Takes the user's permissions on the vhost away. */
    void clearPermissions(String vhost, String user);

    /** Regular expressions of the routing keys the user may publish and bind with on a topic exchange. */
    void setTopicPermissions(String vhost, String user, String exchange, String write, String read);

    /** Sets or replaces a policy of the deployment's vhost. */
    void setPolicy(Policy policy);

    /** Removes a policy of the deployment's vhost. */
    void clearPolicy(String name);

    /** Sets or replaces an operator policy of the deployment's vhost. */
    void setOperatorPolicy(Policy policy);

    /** Removes an operator policy of the deployment's vhost. */
    void clearOperatorPolicy(String name);

    /** Raises or ends the memory alarm, under which the broker takes nothing from publishers. */
    void setMemoryAlarm(boolean raised);
}
