// franz-reader: reads one partition by assignment with franz-go, from an offset on.
//
// franz-reader BOOTSTRAP TOPIC PARTITION OFFSET COUNT prints COUNT records, one a line: offset, key, value as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func number(arg string) int64 {
	n, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return n
}

type line struct {
	Offset  int64      `json:"offset"`
	Ts      int64      `json:"ts"`
	Key     *string    `json:"key"`
	Value   *string    `json:"value"`
	Headers [][]string `json:"headers"`
}

func text(b []byte) *string {
	if b == nil {
		return nil
	}
	s := string(b)
	return &s
}

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: franz-reader BOOTSTRAP TOPIC PARTITION OFFSET COUNT")
		os.Exit(2)
	}
	topic, partition, offset, count := os.Args[2], int32(number(os.Args[3])), number(os.Args[4]), number(os.Args[5])
	client, err := kgo.NewClient(
		kgo.SeedBrokers(os.Args[1]),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().At(offset)}}))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out := json.NewEncoder(os.Stdout)
	for count > 0 {
		fetches := client.PollFetches(ctx)
		if errs := fetches.Errors(); len(errs) > 0 {
			fmt.Fprintln(os.Stderr, errs)
			os.Exit(1)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if count > 0 {
				l := line{Offset: r.Offset, Ts: r.Timestamp.UnixMilli(), Key: text(r.Key), Value: text(r.Value)}
				for _, h := range r.Headers {
					l.Headers = append(l.Headers, []string{h.Key, string(h.Value)})
				}
				out.Encode(l)
				count--
			}
		})
	}
}
