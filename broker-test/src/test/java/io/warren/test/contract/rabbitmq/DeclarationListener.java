package io.warren.test.contract.rabbitmq;

import io.warren.test.contract.Login;

/** Told of what clients declare, for a deployment that has to clean up after them. */
public interface DeclarationListener {

    void onQueueDeclared(Login login, String queue);

    void onExchangeDeclared(Login login, String exchange);
}
