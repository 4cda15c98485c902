<?php
// php-amqplib against an AMQP broker: declare, publish 10,000 with confirms, consume with acks, and three errors.
require_once 'PhpAmqpLib/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Exception\AMQPProtocolChannelException;
use PhpAmqpLib\Message\AMQPMessage;

const MESSAGES = 10000;

function check(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "php-amqplib: $what\n");
        exit(1);
    }
}

function refused(AMQPStreamConnection $connection, int $code, callable $action): void
{
    try {
        $action($connection->channel());
    } catch (AMQPProtocolChannelException $closed) {
        check($closed->getCode() === $code, $closed->getMessage());
        return;
    }
    check(false, 'not refused');
}

$connection = new AMQPStreamConnection('127.0.0.1', (int) $argv[1], 'guest', 'guest');
$channel = $connection->channel();
$channel->exchange_declare('smoke-php', 'topic', false, false, false);
[$queue] = $channel->queue_declare('smoke-php', false, false, true, false);
$channel->queue_bind($queue, 'smoke-php', 'a.#');
$confirmed = 0;
$returned = 0;
$channel->set_ack_handler(function () use (&$confirmed) {
    $confirmed++;
});
$channel->set_return_listener(function ($code) use (&$returned) {
    $returned = $code;
});
$channel->confirm_select();
for ($number = 0; $number < MESSAGES; $number++) {
    $channel->basic_publish(new AMQPMessage((string) $number), 'smoke-php', 'a.b');
}
$channel->wait_for_pending_acks_returns(30);
check($confirmed === MESSAGES, "confirmed $confirmed");
$channel->basic_qos(null, 500, null);
$received = 0;
$tag = $channel->basic_consume($queue, '', false, false, false, false, function ($message) use (&$received) {
    check($message->body === (string) $received, "received $message->body for $received");
    $received++;
    $message->ack();
});
while ($received < MESSAGES) {
    $channel->wait(null, false, 30);
}
$channel->basic_cancel($tag);
$channel->basic_publish(new AMQPMessage(''), 'smoke-php', 'nowhere', true);
$channel->wait_for_pending_acks_returns(30);
check($returned === 312, "returned $returned");
$channel->exchange_delete('smoke-php');
refused($connection, 404, fn ($it) => $it->queue_declare('no-such-queue', true));
refused($connection, 406, fn ($it) => $it->queue_declare($queue, false, false, true, true));
refused($connection, 403, fn ($it) => $it->queue_declare('amq.reserved'));
$connection->close();
echo 'php-amqplib: ', MESSAGES, " confirmed, consumed in order; 3 errors and a return as expected\n";
