package main

import (
	"context"
	"fmt"
	"os"
	"time"

	kafka "github.com/IBM/sarama"
)

type handler struct{ topic string }

func (h handler) Setup(s kafka.ConsumerGroupSession) error {
	sayHave(s.Claims()[h.topic])
	return nil
}

func (h handler) Cleanup(kafka.ConsumerGroupSession) error {
	sayHave(nil)
	return nil
}

func (h handler) ConsumeClaim(s kafka.ConsumerGroupSession, claim kafka.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		got := [][]any{}
		for last := false; !last; {
			got = append(got, []any{m.Partition, m.Offset, string(m.Value)})
			s.MarkMessage(m, "")
			select {
			case next, open := <-claim.Messages():
				if m = next; !open {
					last = true
				}
			default:
				last = true
			}
		}
		say("got", got)
		s.Commit()
	}
	return nil
}

func sarama(ctx context.Context, s settings) {
	config := kafka.NewConfig()
	config.Version = kafka.MaxVersion
	config.Consumer.Offsets.Initial = kafka.OffsetOldest
	config.Consumer.Offsets.AutoCommit.Enable = false
	config.Consumer.Group.Session.Timeout = s.session
	config.Consumer.Group.Heartbeat.Interval = s.session / 10
	config.Consumer.Group.Rebalance.Timeout = 10 * time.Second
	config.Consumer.Group.Rebalance.GroupStrategies = []kafka.BalanceStrategy{kafka.NewBalanceStrategyRoundRobin()}
	config.Consumer.MaxWaitTime = 200 * time.Millisecond
	group, err := kafka.NewConsumerGroup([]string{s.bootstrap}, s.group, config)
	check(err)
	for ctx.Err() == nil {
		if err := group.Consume(ctx, []string{s.topic}, handler{s.topic}); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, err)
			time.Sleep(100 * time.Millisecond)
		}
	}
	check(group.Close())
}
