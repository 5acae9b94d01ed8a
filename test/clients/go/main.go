// go-member: a member of a consumer group, by franz-go or sarama.
//
// go-member franz|sarama BOOTSTRAP GROUP TOPIC SESSION_MS prints, one JSON value a line, {"have": [partitions]} when its assignment
// changes and {"got": [[partition, offset, value], ...]} for records, and commits them after that.  SIGTERM makes it leave.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sort"
	"strconv"
	"sync"
	"syscall"
	"time"
)

type settings struct {
	bootstrap, group, topic string
	session                 time.Duration
}

var (
	out     = json.NewEncoder(os.Stdout)
	outLock sync.Mutex
)

func say(what string, value any) {
	outLock.Lock()
	defer outLock.Unlock()
	out.Encode(map[string]any{what: value})
}

func sayHave(partitions []int32) {
	sorted := append([]int32{}, partitions...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	say("have", sorted)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: go-member franz|sarama BOOTSTRAP GROUP TOPIC SESSION_MS")
		os.Exit(2)
	}
	session, err := strconv.Atoi(os.Args[5])
	check(err)
	s := settings{os.Args[2], os.Args[3], os.Args[4], time.Duration(session) * time.Millisecond}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if os.Args[1] == "franz" {
		franz(ctx, s)
	} else {
		sarama(ctx, s)
	}
}
