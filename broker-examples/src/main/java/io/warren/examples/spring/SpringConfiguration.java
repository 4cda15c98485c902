package io.warren.examples.spring;

import com.rabbitmq.client.ConnectionFactory;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.config.RetryInterceptorBuilder;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.RejectAndDontRequeueRecoverer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** As for a RabbitMQ over TCP: only the client's ConnectionFactory, which it is given, knows better. */
@EnableRabbit
@Configuration
public class SpringConfiguration {

    @Bean
    CachingConnectionFactory connections(ConnectionFactory client) {
        CachingConnectionFactory connections = new CachingConnectionFactory(client);
        connections.setPublisherConfirmType(ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        return connections;
    }

    @Bean
    RabbitTemplate template(CachingConnectionFactory connections) {
        RabbitTemplate template = new RabbitTemplate(connections);
        template.setMandatory(true);
        return template;
    }

    @Bean
    RabbitAdmin admin(CachingConnectionFactory connections) {
        return new RabbitAdmin(connections);
    }

    @Bean
    Declarables topology() {
        DirectExchange shop = new DirectExchange("shop");
        Queue orders = QueueBuilder.durable("orders")
                .deadLetterExchange("")
                .deadLetterRoutingKey("orders.dead")
                .build();
        Queue dead = QueueBuilder.durable("orders.dead").build();
        Binding binding = BindingBuilder.bind(orders).to(shop).with("orders");
        return new Declarables(shop, orders, dead, binding);
    }

    /** A message that fails is tried twice more, and then rejected: its queue sends it on. */
    @Bean
    SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(CachingConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory containers = new SimpleRabbitListenerContainerFactory();
        containers.setConnectionFactory(connections);
        containers.setAdviceChain(RetryInterceptorBuilder.stateless()
                .maxRetries(2)
                .backOffOptions(10, 1, 10)
                .recoverer(new RejectAndDontRequeueRecoverer())
                .build());
        return containers;
    }
}
