/*-------------------------------------------------------------------------
 *
 * worker.c
 *	  A network worker: the event loop.
 *
 * A WaitEventSet can't forget a socket, so the sockets are in an epoll set of
 * our own, which is one event of the WaitEventSet beside the latch.  A turn of
 * the loop takes what is ready, runs the requests that are there, resumes those
 * that were woken, and sends what it can, all in one transaction.  Nothing in a
 * turn waits: neither for a flush, nor for another process, nor for a client.
 *
 * A turn ends after some time even if there is more to do, so that those who wait
 * for a flush or for new records are looked at; what is left comes first in the
 * next one.
 *
 * A turn that fails outside of a request's handler costs the connection it was
 * busy with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "broker/settings.h"
#include "exchange/call.h"
#include "log/log.h"
#include "miscadmin.h"
#include "net/ask.h"
#include "net/connection.h"
#include "net/listener.h"
#include "net/process.h"
#include "net/report.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#define MAX_EVENTS		256
#define TURN_MS			10
#define LOCK_TIMEOUT	"100ms"

/* When the port is not to be had, try again after 1 s, 2 s, ... 30 s. */
#define MAX_BACKOFF_MS	30000

/* Out of descriptors: accept again after this. */
#define ACCEPT_PAUSE_MS 200

int			net_worker_number = -1;
int			net_epoll_fd = -1;
NetConnection *net_current = NULL;

static WaitEventSet *wait_set;
static struct epoll_event events[MAX_EVENTS];
static int	n_events;
static int	next_event;			/* those from here on are left from the turn before */
static TimestampTz turn_end;
static NetListener listener;
static NetConnection listen_entries[NET_MAX_ADDRESSES];	/* what epoll reports for them */
static bool accepting;
static TimestampTz next_listen; /* when to try to listen again; 0: now */
static int	listen_backoff_ms;
static TimestampTz next_accept; /* when accepting goes on; 0: it does */
static TimestampTz next_expiry;
static Oid	plaintext_role;
static bool plaintext_role_known;

/* ---------- start and end ---------- */

static void
worker_exit(int code, Datum arg)
{
	/* An error may have brought us here from anywhere. */
	LWLockReleaseAll();
	net_detach_latch(&net_shared->workers[net_worker_number]);
	if (net_epoll_fd < 0)
		return;					/* before there was anything else */
	net_listener_close(&listener);
	net_connections_close_all();
	log_worker_detach(net_worker_number);
	net_ask_reset_worker(net_worker_number);
}

/* Connections need descriptors beyond those that the server itself counts with. */
static void
raise_descriptor_limit(void)
{
	struct rlimit limit;
	rlim_t		want;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return;
	want = (rlim_t) max_files_per_process + broker_max_connections + 64;
	if (limit.rlim_cur >= want)
		return;
	if (limit.rlim_max != RLIM_INFINITY && want > limit.rlim_max)
	{
		if (net_worker_number == 0)
			ereport(LOG,
					(errmsg("the limit of open files leaves no room for %d Kafka connections in a process",
							broker_max_connections),
					 errhint("Raise the limit (ulimit -n), or lower \"pg_broker.max_connections\".")));
		want = limit.rlim_max;
	}
	limit.rlim_cur = want;
	(void) setrlimit(RLIMIT_NOFILE, &limit);
}

static void
set_limits(void)
{
	net_chunks_set_limit((Size) broker_queued_max_request_kb * 1024 / broker_network_workers);
}

static void
start(int number)
{
	net_worker_number = number;
	before_shmem_exit(worker_exit, 0);
	net_process_start(broker_database, &net_shared->workers[number]);

	/* No lock that a request needs is waited for long. */
	SetConfigOption("lock_timeout", LOCK_TIMEOUT, PGC_SUSET, PGC_S_OVERRIDE);
	raise_descriptor_limit();
	net_chunks_init(0);
	set_limits();
	net_requests_init();
	net_connections_init();
	net_park_init();
	net_ask_attach();
	net_ask_reset_worker(number);
	call_attach();
	call_worker_attach(number);

	net_epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (net_epoll_fd < 0)
		ereport(FATAL, (errmsg("could not create an epoll set: %m")));
	wait_set = CreateSessionWaitEventSet(3);
	AddWaitEventToSet(wait_set, WL_LATCH_SET, PGINVALID_SOCKET, MyLatch, NULL);
	AddWaitEventToSet(wait_set, WL_EXIT_ON_PM_DEATH, PGINVALID_SOCKET, NULL, NULL);
	AddWaitEventToSet(wait_set, WL_SOCKET_READABLE, net_epoll_fd, NULL, NULL);

	log_worker_attach(number);
}

/* ---------- whose privileges ---------- */

/* In a transaction. */
Oid
net_plaintext_role(void)
{
	if (!plaintext_role_known)
	{
		net_transaction_begin();
		plaintext_role = broker_plaintext_role[0] == '\0' ? net_extension_owner() :
			get_role_oid(broker_plaintext_role, true);
		plaintext_role_known = OidIsValid(plaintext_role);
	}
	return plaintext_role;
}

/* ---------- listening ---------- */

static void
watch_listeners(bool on)
{
	for (int i = 0; i < listener.n; i++)
	{
		struct epoll_event event = {0};

		event.events = on ? EPOLLIN : 0;
		event.data.ptr = &listen_entries[i];
		if (epoll_ctl(net_epoll_fd, accepting || !on ? EPOLL_CTL_MOD : EPOLL_CTL_ADD,
					  listener.fds[i], &event) < 0 && errno == EEXIST)
			(void) epoll_ctl(net_epoll_fd, EPOLL_CTL_MOD, listener.fds[i], &event);
	}
	accepting = on;
}

static void
listen_if_due(TimestampTz now)
{
	if (pg_atomic_read_u32(&net_shared->groups_loaded) == 0)
		return;
	if (listener.n > 0 || (next_listen != 0 && next_listen > now))
		return;
	if (broker_listen_addresses[strspn(broker_listen_addresses, " ")] == '\0')
		return;					/* nobody is to connect */
	if (net_listener_open(&listener, listen_backoff_ms == 0 || listen_backoff_ms == MAX_BACKOFF_MS))
	{
		for (int i = 0; i < listener.n; i++)
		{
			listen_entries[i].is_listener = true;
			listen_entries[i].fd = listener.fds[i];
		}
		watch_listeners(true);
		next_listen = 0;
		listen_backoff_ms = 0;
		return;
	}
	listen_backoff_ms = Min(Max(listen_backoff_ms * 2, 1000), MAX_BACKOFF_MS);
	next_listen = TimestampTzPlusMilliseconds(now, listen_backoff_ms);
}

/* ---------- the loop ---------- */

bool
net_turn_is_over(void)
{
	return GetCurrentTimestamp() >= turn_end;
}

/* A connection is closed: what is still to be done for it is not. */
void
net_worker_forget(NetConnection *conn)
{
	for (int i = next_event; i < n_events; i++)
		if (events[i].data.ptr == conn)
			events[i].data.ptr = NULL;
}

static void
accept_clients(int fd, TimestampTz now)
{
	if (net_connection_accept(fd) || next_accept != 0)
		return;
	watch_listeners(false);
	next_accept = TimestampTzPlusMilliseconds(now, ACCEPT_PAUSE_MS);
}

static void
handle_events(TimestampTz now)
{
	if (next_event == n_events)
	{
		next_event = 0;
		n_events = Max(epoll_wait(net_epoll_fd, events, MAX_EVENTS, 0), 0);
	}
	while (next_event < n_events && !net_turn_is_over())
	{
		struct epoll_event *event = &events[next_event++];
		NetConnection *conn = event->data.ptr;

		if (conn == NULL)
			continue;
		if (conn->is_listener)
		{
			if (listener.n > 0)
				accept_clients(conn->fd, now);
			continue;
		}
		net_current = conn;
		net_connection_ready(conn, event->events);
		net_current = NULL;
	}
}

static void
turn(void)
{
	TimestampTz now = GetCurrentTimestamp();

	turn_end = TimestampTzPlusMilliseconds(now, TURN_MS);
	net_output_begin_turn();
	listen_if_due(now);
	if (next_accept != 0 && next_accept <= now)
	{
		next_accept = 0;
		watch_listeners(true);
	}

	handle_events(now);
	net_park_check(now);

	/* Those that were resumed have a time of their own, however much has come in. */
	turn_end = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), TURN_MS);
	net_connections_continue(now);
	if (next_expiry == 0 || next_expiry <= now || net_connections_paused())
		next_expiry = net_connections_expire(now);

	/* Appends of this turn may have been flushed by now. */
	net_park_check(now);
}

static void
earlier(TimestampTz *when, TimestampTz candidate)
{
	if (candidate != 0 && (*when == 0 || candidate < *when))
		*when = candidate;
}

/* How long there is nothing to do without an event: milliseconds, -1: for ever. */
static long
time_to_sleep(long stats_ms)
{
	TimestampTz when = 0;
	long		ms = -1;

	if (net_connections_runnable() || next_event < n_events)
		return 0;
	earlier(&when, net_park_next_deadline());
	earlier(&when, net_connections_next_retry());
	earlier(&when, next_accept);
	earlier(&when, next_expiry);
	if (listener.n == 0)
		earlier(&when, next_listen);
	if (when != 0)
		ms = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), when);
	if (stats_ms >= 0 && (ms < 0 || stats_ms < ms))
		ms = stats_ms;
	return Min(ms, INT_MAX);
}

static void
settings_changed(void)
{
	Oid			before = plaintext_role;

	set_limits();
	next_expiry = 0;
	net_connections_advertise();
	plaintext_role_known = false;
	if (net_plaintext_role() != before)
		net_connections_set_role(plaintext_role);
}

static void
wait_for_extension(void)
{
	if (net_extension_exists())
		return;
	watch_listeners(false);
	net_listener_close(&listener);
	net_connections_close_all();
	net_connections_reap();
	accepting = false;
	plaintext_role_known = false;
	net_wait_for_extension();
}

void
net_worker_main(Datum arg)
{
	start(DatumGetInt32(arg));
	for (;;)
	{
		bool		reload = ConfigReloadPending;
		WaitEvent	occurred[3];
		long		timeout;
		int			n;

		net_process_interrupts();
		wait_for_extension();

		pgstat_report_activity(STATE_RUNNING, NULL);
		MemoryContextSwitchTo(net_turn_context);
		PG_TRY();
		{
			if (reload)
				settings_changed();
			turn();
			net_turn_done();
		}
		PG_CATCH();
		{
			net_transaction_failed(net_may_report());
			if (net_current)
				net_connection_close(net_current);
			net_current = NULL;
			MemoryContextReset(net_turn_context);
		}
		PG_END_TRY();
		net_connections_reap();

		timeout = time_to_sleep(-1);
		if (timeout != 0)
		{
			timeout = time_to_sleep(net_report_stats());
			pgstat_report_activity(STATE_IDLE, NULL);
		}
		n = WaitEventSetWait(wait_set, timeout, occurred, lengthof(occurred), PG_WAIT_EXTENSION);
		for (int i = 0; i < n; i++)
			if (occurred[i].events & WL_LATCH_SET)
				ResetLatch(MyLatch);
	}
}
