package io.warren.test.contract;

/** Where and as whom a client connects. */
public record Login(String vhost, String user, String password) {}
