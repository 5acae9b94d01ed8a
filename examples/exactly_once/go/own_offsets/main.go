// Every record becomes one row, with any Kafka broker: offsets live in a table beside the rows.
//
//	own_offsets BOOTSTRAP GROUP TOPIC DATABASE
//
//	CREATE TABLE consumer_offset (consumer_group text, topic text, partition int, next_offset bigint NOT NULL,
//		PRIMARY KEY (consumer_group, topic, partition));
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

var bootstrap, group, topic, database = os.Args[1], os.Args[2], os.Args[3], os.Args[4]

// Another consumer has moved the offset: what this one did must not commit.
var errOvertaken = errors.New("overtaken by another consumer")

type partition struct {
	topic  string
	number int32
}

var position sync.Map // partition -> the offset in the table, as far as this consumer knows

// write is one transaction: what the records change, and where the group is now.
func write(ctx context.Context, db *pgx.Conn, fetches kgo.Fetches) error {
	moved := map[partition]int64{}
	err := pgx.BeginFunc(ctx, db, func(tx pgx.Tx) (err error) {
		fetches.EachRecord(func(r *kgo.Record) {
			if err == nil {
				_, err = tx.Exec(ctx, "INSERT INTO received (topic, partition, log_offset, value) VALUES ($1, $2, $3, $4)",
					r.Topic, r.Partition, r.Offset, string(r.Value))
				moved[partition{r.Topic, r.Partition}] = r.Offset + 1
			}
		})
		for p, next := range moved {
			if err != nil {
				break
			}
			// Only from where this consumer began: that fences one that was paused and believes the partition is its own.
			from, _ := position.Load(p)
			done, e := tx.Exec(ctx, "UPDATE consumer_offset SET next_offset = $1 WHERE consumer_group = $2 AND topic = $3 "+
				"AND partition = $4 AND next_offset = $5", next, group, p.topic, p.number, from)
			if err = e; err == nil && done.RowsAffected() != 1 {
				err = errOvertaken
			}
		}
		return err
	})
	if err == nil {
		for p, next := range moved {
			position.Store(p, next)
		}
	}
	return err
}

// connect opens a session that doesn't keep others waiting for its locks when this process is stopped in a transaction.
func connect(ctx context.Context) (*pgx.Conn, error) {
	db, err := pgx.Connect(ctx, database)
	if err == nil {
		_, err = db.Exec(ctx, "SET idle_in_transaction_session_timeout = '10s'")
	}
	return db, err
}

// stored is the offset of a partition in the table.
func stored(ctx context.Context, db *pgx.Conn, p partition) (next int64, err error) {
	_, err = db.Exec(ctx, "INSERT INTO consumer_offset VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING", group, p.topic, p.number)
	if err == nil {
		err = db.QueryRow(ctx, "SELECT next_offset FROM consumer_offset WHERE consumer_group = $1 AND topic = $2 AND partition = $3",
			group, p.topic, p.number).Scan(&next)
	}
	if err == nil {
		position.Store(p, next)
	}
	return next, err
}

// assigned starts partitions where the table says; the broker's own offsets of the group are not used.
func assigned(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	db, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close(ctx)
	for topic, numbers := range offsets {
		for number := range numbers {
			next, err := stored(ctx, db, partition{topic, number})
			if err != nil {
				return nil, err
			}
			numbers[number] = kgo.NewOffset().At(next)
		}
	}
	return offsets, nil
}

// seekToStored goes where the table says, after a COMMIT that failed or of which nobody knows. The client has moved on.
func seekToStored(ctx context.Context, client *kgo.Client, fetches kgo.Fetches) error {
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	offsets := map[string]map[int32]kgo.EpochOffset{}
	fetches.EachPartition(func(f kgo.FetchTopicPartition) {
		next, e := stored(ctx, db, partition{f.Topic, f.Partition})
		if e != nil {
			err = e
		}
		if offsets[f.Topic] == nil {
			offsets[f.Topic] = map[int32]kgo.EpochOffset{}
		}
		offsets[f.Topic][f.Partition] = kgo.EpochOffset{Epoch: -1, Offset: next}
	})
	if err == nil {
		client.SetOffsets(offsets)
	}
	return err
}

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
		kgo.DisableAutoCommit(),
		kgo.AdjustFetchOffsetsFn(assigned),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.Balancers(kgo.RangeBalancer()),
		kgo.SessionTimeout(6*time.Second),
		kgo.BlockRebalanceOnPoll(),
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
				db, err = connect(ctx)
			}
			if err == nil {
				err = write(ctx, db, fetches)
			}
			for err != nil && stopped.Err() == nil {
				log.Print("not committed, or unknown: ", err)
				if db != nil {
					db.Close(ctx)
					db = nil
				}
				time.Sleep(100 * time.Millisecond)
				err = seekToStored(ctx, client, fetches)
			}
		}
		client.AllowRebalance()
		followRecreated(client, fetches)
	}
}
