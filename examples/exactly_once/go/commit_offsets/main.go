// Every record becomes one row: offsets are committed by the transaction that writes the rows.
//
//	commit_offsets BOOTSTRAP GROUP TOPIC DATABASE
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

var bootstrap, group, topic, database = os.Args[1], os.Args[2], os.Args[3], os.Args[4]

// write is one transaction: what the records change, and that they have been processed.
func write(ctx context.Context, db *pgx.Conn, client *kgo.Client, fetches kgo.Fetches) error {
	member, generation := client.GroupMetadata()
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) (err error) {
		exec := func(query string, args ...any) {
			if err == nil {
				_, err = tx.Exec(ctx, query, args...)
			}
		}
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			if len(p.Records) == 0 {
				return
			}
			for _, r := range p.Records {
				exec("INSERT INTO received (topic, partition, log_offset, value) VALUES ($1, $2, $3, $4)",
					r.Topic, r.Partition, r.Offset, string(r.Value))
			}
			exec("SELECT broker.commit_offsets($1, $2, $3, $4, $5, member_id => $6, generation => $7)", group, p.Topic, p.Partition,
				p.Records[0].Offset, p.Records[len(p.Records)-1].Offset, member, generation)
		})
		return err
	})
}

// seekToCommitted goes where the group is, after a COMMIT that failed or of which nobody knows. The client has moved on.
func seekToCommitted(ctx context.Context, client *kgo.Client, fetches kgo.Fetches) error {
	db, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	offsets := map[string]map[int32]kgo.EpochOffset{}
	fetches.EachTopic(func(t kgo.FetchTopic) {
		offsets[t.Topic] = map[int32]kgo.EpochOffset{}
		// Waits for a COMMIT that is under way. Where nothing is committed yet, -2 is the beginning.
		rows, _ := db.Query(ctx, "SELECT partition, coalesce(committed_offset, -2) FROM broker.committed($1, $2)", group, t.Topic)
		var partition int32
		at := kgo.EpochOffset{Epoch: -1}
		_, e := pgx.ForEachRow(rows, []any{&partition, &at.Offset}, func() error {
			offsets[t.Topic][partition] = at
			return nil
		})
		if e != nil {
			err = e
		}
	})
	if err == nil {
		client.SetOffsets(offsets)
	}
	return err
}

// revoked has nothing to do: rebalances wait for AllowRebalance, so no transaction is open. A program that collects
// records over several polls, or hands them to goroutines, rolls back and forgets those of these partitions here.
func revoked(context.Context, *kgo.Client, map[string][]int32) {}

// followRecreated makes the client forget a topic that was dropped and created again, and begin anew.
func followRecreated(client *kgo.Client, fetches kgo.Fetches) {
	fetches.EachError(func(topic string, _ int32, err error) {
		if errors.Is(err, kerr.UnknownTopicID) {
			client.PurgeTopicsFromClient(topic)
			client.AddConsumeTopics(topic)
		}
	})
}

func main() {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(bootstrap),
		kgo.ConsumerGroup(group),
		kgo.ConsumeTopics(strings.Split(topic, ",")...),
		kgo.DisableAutoCommit(),                           // offsets commit with the rows and nowhere else
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), // where a group begins that has no offsets yet
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.RequireStableFetchOffsets(), // waits for a COMMIT that is under way
		kgo.Balancers(kgo.RangeBalancer()),
		kgo.SessionTimeout(6*time.Second),
		kgo.BlockRebalanceOnPoll(),
		kgo.OnPartitionsRevoked(revoked),
		kgo.OnPartitionsLost(revoked),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer client.CloseAllowingRebalance()
	stopped, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	ctx := context.Background()

	var db *pgx.Conn
	for stopped.Err() == nil {
		fetches := client.PollRecords(stopped, 500)
		if fetches.NumRecords() > 0 {
			if db == nil {
				db, err = pgx.Connect(ctx, database)
			}
			if err == nil {
				err = write(ctx, db, client, fetches)
			}
			for err != nil && stopped.Err() == nil {
				log.Print("not committed, or unknown: ", err)
				if db != nil {
					db.Close(ctx)
					db = nil
				}
				time.Sleep(100 * time.Millisecond)
				err = seekToCommitted(ctx, client, fetches)
			}
		}
		client.AllowRebalance()
		followRecreated(client, fetches)
	}
}
