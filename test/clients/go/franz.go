package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func franz(ctx context.Context, s settings) {
	have := map[int32]bool{}
	changed := func(set bool) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			for _, p := range partitions[s.topic] {
				if set {
					have[p] = true
				} else {
					delete(have, p)
				}
			}
			list := []int32{}
			for p := range have {
				list = append(list, p)
			}
			sayHave(list)
		}
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(s.bootstrap), kgo.ConsumerGroup(s.group), kgo.ConsumeTopics(s.topic),
		kgo.Balancers(kgo.RoundRobinBalancer()), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.SessionTimeout(s.session), kgo.HeartbeatInterval(s.session/10), kgo.RebalanceTimeout(10*time.Second),
		kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(), kgo.FetchMaxWait(200*time.Millisecond),
		kgo.OnPartitionsAssigned(changed(true)), kgo.OnPartitionsRevoked(changed(false)), kgo.OnPartitionsLost(changed(false)))
	check(err)
	for ctx.Err() == nil {
		fetches := client.PollRecords(ctx, 500)
		for _, e := range fetches.Errors() {
			if !errors.Is(e.Err, context.Canceled) {
				fmt.Fprintln(os.Stderr, e.Err)
			}
		}
		got := [][]any{}
		fetches.EachRecord(func(r *kgo.Record) { got = append(got, []any{r.Partition, r.Offset, string(r.Value)}) })
		if len(got) > 0 {
			say("got", got)
			if err := client.CommitUncommittedOffsets(context.Background()); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
		client.AllowRebalance()
	}
	client.CloseAllowingRebalance()
}
