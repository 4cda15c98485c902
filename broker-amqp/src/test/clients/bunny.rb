# Bunny against an AMQP broker: declare, publish 10,000 with confirms, consume with acks, and four errors.
require "bunny"

MESSAGES = 10_000
PORT = ARGV[0].to_i

def refused(connection, error)
  yield connection.create_channel
  raise "not refused"
rescue error
  nil
end

connection = Bunny.new(host: "127.0.0.1", port: PORT, log_level: :fatal)
connection.start
channel = connection.create_channel
channel.confirm_select
exchange = channel.topic("smoke-bunny")
queue = channel.queue("smoke-bunny", exclusive: true).bind(exchange, routing_key: "a.#")
returned = Queue.new
exchange.on_return { |info, _properties, _body| returned << info.reply_code }
MESSAGES.times { |number| exchange.publish(number.to_s, routing_key: "a.b") }
raise "not confirmed" unless channel.wait_for_confirms

received = Queue.new
channel.prefetch(500)
consumer = queue.subscribe(manual_ack: true) do |delivery, _properties, body|
  channel.ack(delivery.delivery_tag)
  received << body
end
MESSAGES.times { |number| raise "out of order" unless received.pop == number.to_s }
consumer.cancel
exchange.publish("", routing_key: "nowhere", mandatory: true)
raise "not returned" unless returned.pop == 312

exchange.delete
refused(connection, Bunny::NotFound) { |it| it.queue("no-such-queue", passive: true) }
refused(connection, Bunny::PreconditionFailed) { |it| it.queue(queue.name, durable: false, exclusive: true, auto_delete: true) }
refused(connection, Bunny::AccessRefused) { |it| it.queue("amq.reserved") }
connection.close
begin
  Bunny.new(host: "127.0.0.1", port: PORT, password: "wrong", log_level: :fatal).start
  raise "logged in"
rescue Bunny::AuthenticationFailureError
  nil
end
puts "bunny #{Bunny::VERSION}: #{MESSAGES} confirmed, consumed in order; 4 errors and a return as expected"
