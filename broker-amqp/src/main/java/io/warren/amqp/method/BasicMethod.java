package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/** Messages: publishing, delivering and settling them. */
public sealed interface BasicMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 60;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable BasicMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Qos.read(in);
            case 11 -> new QosOk();
            case 20 -> Consume.read(in);
            case 21 -> ConsumeOk.read(in);
            case 30 -> Cancel.read(in);
            case 31 -> CancelOk.read(in);
            case 40 -> Publish.read(in);
            case 50 -> Return.read(in);
            case 60 -> Deliver.read(in);
            case 70 -> Get.read(in);
            case 71 -> GetOk.read(in);
            case 72 -> GetEmpty.read(in);
            case 80 -> Ack.read(in);
            case 90 -> Reject.read(in);
            case 100 -> RecoverAsync.read(in);
            case 110 -> Recover.read(in);
            case 111 -> new RecoverOk();
            case 120 -> Nack.read(in);
            default -> null;
        };
    }

    /** basic.qos. Limits what may be unacknowledged. */
    record Qos(long prefetchSize, int prefetchCount, boolean global) implements BasicMethod {
        static Qos read(FieldReader in) {
            return new Qos(in.longUint(), in.shortUint(), in.bit());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.longUint(prefetchSize);
            out.shortUint(prefetchCount);
            out.bit(global);
        }
    }

    /** basic.qos-ok. The limit holds. */
    record QosOk() implements BasicMethod {
        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** basic.consume. Starts a consumer. */
    record Consume(
            String queue,
            String consumerTag,
            boolean noLocal,
            boolean noAck,
            boolean exclusive,
            boolean noWait,
            FieldTable arguments)
            implements BasicMethod {
        static Consume read(FieldReader in) {
            in.shortUint();
            return new Consume(in.shortString(), in.shortString(), in.bit(), in.bit(), in.bit(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.shortString(consumerTag);
            out.bit(noLocal);
            out.bit(noAck);
            out.bit(exclusive);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** basic.consume-ok. It has started. */
    record ConsumeOk(String consumerTag) implements BasicMethod {
        static ConsumeOk read(FieldReader in) {
            return new ConsumeOk(in.shortString());
        }

        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(consumerTag);
        }
    }

    /** basic.cancel. Ends a consumer; from the broker too. */
    record Cancel(String consumerTag, boolean noWait) implements BasicMethod {
        static Cancel read(FieldReader in) {
            return new Cancel(in.shortString(), in.bit());
        }

        @Override
        public int methodId() {
            return 30;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(consumerTag);
            out.bit(noWait);
        }
    }

    /** basic.cancel-ok. It has ended. */
    record CancelOk(String consumerTag) implements BasicMethod {
        static CancelOk read(FieldReader in) {
            return new CancelOk(in.shortString());
        }

        @Override
        public int methodId() {
            return 31;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(consumerTag);
        }
    }

    /** basic.publish. A message for an exchange; its content follows. */
    record Publish(String exchange, String routingKey, boolean mandatory, boolean immediate) implements BasicMethod {
        static Publish read(FieldReader in) {
            in.shortUint();
            return new Publish(in.recurringString(), in.recurringString(), in.bit(), in.bit());
        }

        @Override
        public int methodId() {
            return 40;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(exchange);
            out.shortString(routingKey);
            out.bit(mandatory);
            out.bit(immediate);
        }

        @Override
        public boolean hasContent() {
            return true;
        }
    }

    /** basic.return. A message that could not be routed; its content follows. */
    record Return(int replyCode, String replyText, String exchange, String routingKey) implements BasicMethod {
        static Return read(FieldReader in) {
            return new Return(in.shortUint(), in.shortString(), in.shortString(), in.shortString());
        }

        @Override
        public int methodId() {
            return 50;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(replyCode);
            out.shortString(replyText);
            out.shortString(exchange);
            out.shortString(routingKey);
        }

        @Override
        public boolean hasContent() {
            return true;
        }
    }

    /** basic.deliver. A message for a consumer; its content follows. */
    record Deliver(String consumerTag, long deliveryTag, boolean redelivered, String exchange, String routingKey)
            implements BasicMethod {
        static Deliver read(FieldReader in) {
            return new Deliver(in.shortString(), in.longLong(), in.bit(), in.shortString(), in.shortString());
        }

        @Override
        public int methodId() {
            return 60;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(consumerTag);
            out.longLong(deliveryTag);
            out.bit(redelivered);
            out.shortString(exchange);
            out.shortString(routingKey);
        }

        @Override
        public boolean hasContent() {
            return true;
        }
    }

    /** basic.get. Asks for one message. */
    record Get(String queue, boolean noAck) implements BasicMethod {
        static Get read(FieldReader in) {
            in.shortUint();
            return new Get(in.shortString(), in.bit());
        }

        @Override
        public int methodId() {
            return 70;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.bit(noAck);
        }
    }

    /** basic.get-ok. The message; its content follows. */
    record GetOk(long deliveryTag, boolean redelivered, String exchange, String routingKey, long messageCount)
            implements BasicMethod {
        static GetOk read(FieldReader in) {
            return new GetOk(in.longLong(), in.bit(), in.shortString(), in.shortString(), in.longUint());
        }

        @Override
        public int methodId() {
            return 71;
        }

        @Override
        public void write(FieldWriter out) {
            out.longLong(deliveryTag);
            out.bit(redelivered);
            out.shortString(exchange);
            out.shortString(routingKey);
            out.longUint(messageCount);
        }

        @Override
        public boolean hasContent() {
            return true;
        }
    }

    /** basic.get-empty. There is none. */
    record GetEmpty() implements BasicMethod {
        static GetEmpty read(FieldReader in) {
            in.shortString();
            return new GetEmpty();
        }

        @Override
        public int methodId() {
            return 72;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString("");
        }
    }

    /** basic.ack. Settles a delivery; from the broker, a publish. */
    record Ack(long deliveryTag, boolean multiple) implements BasicMethod {
        static Ack read(FieldReader in) {
            return new Ack(in.longLong(), in.bit());
        }

        @Override
        public int methodId() {
            return 80;
        }

        @Override
        public void write(FieldWriter out) {
            out.longLong(deliveryTag);
            out.bit(multiple);
        }
    }

    /** basic.reject. Refuses a delivery. */
    record Reject(long deliveryTag, boolean requeue) implements BasicMethod {
        static Reject read(FieldReader in) {
            return new Reject(in.longLong(), in.bit());
        }

        @Override
        public int methodId() {
            return 90;
        }

        @Override
        public void write(FieldWriter out) {
            out.longLong(deliveryTag);
            out.bit(requeue);
        }
    }

    /** basic.recover-async. Asks for everything unacknowledged again, without an answer. */
    record RecoverAsync(boolean requeue) implements BasicMethod {
        static RecoverAsync read(FieldReader in) {
            return new RecoverAsync(in.bit());
        }

        @Override
        public int methodId() {
            return 100;
        }

        @Override
        public void write(FieldWriter out) {
            out.bit(requeue);
        }
    }

    /** basic.recover. Asks for everything unacknowledged again. */
    record Recover(boolean requeue) implements BasicMethod {
        static Recover read(FieldReader in) {
            return new Recover(in.bit());
        }

        @Override
        public int methodId() {
            return 110;
        }

        @Override
        public void write(FieldWriter out) {
            out.bit(requeue);
        }
    }

    /** basic.recover-ok. It is on its way. */
    record RecoverOk() implements BasicMethod {
        @Override
        public int methodId() {
            return 111;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** basic.nack. Refuses one or many deliveries; from the broker, a publish. */
    record Nack(long deliveryTag, boolean multiple, boolean requeue) implements BasicMethod {
        static Nack read(FieldReader in) {
            return new Nack(in.longLong(), in.bit(), in.bit());
        }

        @Override
        public int methodId() {
            return 120;
        }

        @Override
        public void write(FieldWriter out) {
            out.longLong(deliveryTag);
            out.bit(multiple);
            out.bit(requeue);
        }
    }
}
