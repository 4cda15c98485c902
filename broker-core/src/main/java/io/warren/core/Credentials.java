package io.warren.core;

/** A user and its password. */
public record Credentials(String user, String password) {

    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
