package io.warren.amqp.session;

import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.Method;
import io.warren.core.message.Message;

/** What a connection wants done, in this order. Called by the connection's owner only. */
public interface SessionOutput {

    /** Sends a method without content. */
    void method(int channel, Method method);

    /** Sends a method with its content: basic.return, basic.get-ok. */
    void content(int channel, Method method, Message message);

    /** Sends a delivery, and gives the credit back once its bytes have left. */
    void deliver(int channel, BasicMethod.Deliver method, Message message, DeliveryCredit credit);

    /** The limits are agreed on. */
    void tuned(int frameBytesMax, int heartbeatSeconds);

    /** Stops reading what the client sends, or goes on. */
    void pause(boolean paused);

    /** The client is to act: answer a connection.close, or end the transport. It ends here if that does not come. */
    void closing();

    /** Ends the transport once what was sent has left. */
    void close();
}
