"""Pika against an AMQP broker: declare, publish 10,000 with confirms, consume with acks, and three errors."""
import sys

import pika
from pika import exceptions

MESSAGES = 10_000
parameters = pika.ConnectionParameters("127.0.0.1", int(sys.argv[1]))


def refused(code, action):
    channel = connection.channel()
    try:
        action(channel)
    except exceptions.ChannelClosedByBroker as closed:
        assert closed.reply_code == code, closed
        return
    raise AssertionError("not refused")


connection = pika.BlockingConnection(parameters)
channel = connection.channel()
channel.exchange_declare("smoke-pika", "topic")
queue = channel.queue_declare("smoke-pika", exclusive=True).method.queue
channel.queue_bind(queue, "smoke-pika", "a.#")
channel.confirm_delivery()
for number in range(MESSAGES):
    channel.basic_publish("smoke-pika", "a.b", str(number).encode(), mandatory=True)
channel.basic_qos(prefetch_count=500)
expected = 0
for method, properties, body in channel.consume(queue):
    assert body == str(expected).encode(), body
    channel.basic_ack(method.delivery_tag)
    expected += 1
    if expected == MESSAGES:
        break
channel.cancel()
try:
    channel.basic_publish("smoke-pika", "nowhere", b"", mandatory=True)
    raise AssertionError("not returned")
except exceptions.UnroutableError:
    pass
channel.exchange_delete("smoke-pika")
refused(404, lambda it: it.queue_declare("no-such-queue", passive=True))
refused(406, lambda it: it.queue_declare(queue, auto_delete=True, exclusive=True))
refused(403, lambda it: it.queue_declare("amq.reserved"))
connection.close()
try:
    pika.BlockingConnection(
        pika.ConnectionParameters("127.0.0.1", int(sys.argv[1]), virtual_host="no-such-vhost")
    )
    raise AssertionError("virtual host exists")
except exceptions.ProbableAccessDeniedError as closed:
    assert "(530)" in str(closed), closed
print(f"pika {pika.__version__}: {MESSAGES} confirmed, consumed in order; 4 errors and a return as expected")
