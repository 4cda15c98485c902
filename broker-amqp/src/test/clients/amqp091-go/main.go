// amqp091-go against an AMQP broker: declare, publish 10,000 with confirms, consume with acks, and four errors.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"
)

const messages = 10_000

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func refused(connection *amqp.Connection, code int, action func(*amqp.Channel) error) {
	channel, err := connection.Channel()
	must(err)
	failure, is := action(channel).(*amqp.Error)
	if !is || failure.Code != code {
		log.Fatalf("expected %d, was %v", code, failure)
	}
}

func main() {
	connection, err := amqp.Dial("amqp://guest:guest@127.0.0.1:" + os.Args[1] + "/")
	must(err)
	channel, err := connection.Channel()
	must(err)
	must(channel.ExchangeDeclare("smoke-go", "topic", false, false, false, false, nil))
	queue, err := channel.QueueDeclare("smoke-go", false, false, true, false, nil)
	must(err)
	must(channel.QueueBind(queue.Name, "a.#", "smoke-go", false, nil))
	must(channel.Confirm(false))
	confirms := channel.NotifyPublish(make(chan amqp.Confirmation, messages+1))
	returns := channel.NotifyReturn(make(chan amqp.Return, 1))
	for number := 0; number < messages; number++ {
		publish(channel, "a.b", false, strconv.Itoa(number))
	}
	for number := 0; number < messages; number++ {
		if confirm := <-confirms; !confirm.Ack {
			log.Fatalf("%d was refused", confirm.DeliveryTag)
		}
	}
	consume(channel, queue.Name)
	publish(channel, "nowhere", true, "")
	if returned := <-returns; returned.ReplyCode != 312 {
		log.Fatalf("returned with %d", returned.ReplyCode)
	}
	must(channel.ExchangeDelete("smoke-go", false, false))
	refused(connection, 404, func(it *amqp.Channel) error {
		_, err := it.QueueDeclarePassive("no-such-queue", false, false, false, false, nil)
		return err
	})
	refused(connection, 406, func(it *amqp.Channel) error {
		_, err := it.QueueDeclare(queue.Name, false, true, true, false, nil)
		return err
	})
	refused(connection, 403, func(it *amqp.Channel) error {
		_, err := it.QueueDeclare("amq.reserved", false, false, false, false, nil)
		return err
	})
	must(connection.Close())
	if _, err := amqp.Dial("amqp://guest:wrong@127.0.0.1:" + os.Args[1] + "/"); err == nil {
		log.Fatal("logged in with a wrong password")
	}
	fmt.Printf("amqp091-go: %d confirmed, consumed in order; 4 errors and a return as expected\n", messages)
}

func publish(channel *amqp.Channel, key string, mandatory bool, body string) {
	must(channel.PublishWithContext(
		context.Background(), "smoke-go", key, mandatory, false, amqp.Publishing{Body: []byte(body)}))
}

func consume(channel *amqp.Channel, queue string) {
	must(channel.Qos(500, 0, false))
	deliveries, err := channel.Consume(queue, "smoke", false, false, false, false, nil)
	must(err)
	for number := 0; number < messages; number++ {
		delivery := <-deliveries
		if string(delivery.Body) != strconv.Itoa(number) {
			log.Fatalf("received %s for %d", delivery.Body, number)
		}
		must(delivery.Ack(false))
	}
	must(channel.Cancel("smoke", false))
}
