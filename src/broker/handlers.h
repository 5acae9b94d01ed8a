/*-------------------------------------------------------------------------
 *
 * handlers.h
 *	  The handlers of the Kafka APIs, and what they share.
 *
 * Each API is a row of the table in apis.c and one file here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BROKER_HANDLERS_H
#define BROKER_HANDLERS_H

#include "broker/request.h"
#include "compat.h"
#include "wire/error.h"
#include "wire/message.h"

/* ---------- handlers ---------- */

extern BrokerOutcome broker_api_versions(BrokerRequest *req);
extern BrokerOutcome broker_metadata(BrokerRequest *req);
extern BrokerOutcome broker_describe_cluster(BrokerRequest *req);
extern BrokerOutcome broker_describe_topic_partitions(BrokerRequest *req);
extern BrokerOutcome broker_produce(BrokerRequest *req);
extern BrokerOutcome broker_fetch(BrokerRequest *req);
extern BrokerOutcome broker_list_offsets(BrokerRequest *req);
extern BrokerOutcome broker_offset_for_leader_epoch(BrokerRequest *req);
extern BrokerOutcome broker_init_producer_id(BrokerRequest *req);
extern BrokerOutcome broker_create_topics(BrokerRequest *req);
extern BrokerOutcome broker_delete_topics(BrokerRequest *req);
extern BrokerOutcome broker_create_partitions(BrokerRequest *req);
extern BrokerOutcome broker_delete_records(BrokerRequest *req);
extern BrokerOutcome broker_describe_configs(BrokerRequest *req);
extern BrokerOutcome broker_incremental_alter_configs(BrokerRequest *req);
extern BrokerOutcome broker_alter_configs(BrokerRequest *req);
extern BrokerOutcome broker_describe_log_dirs(BrokerRequest *req);
extern BrokerOutcome broker_describe_producers(BrokerRequest *req);
extern BrokerOutcome broker_list_config_resources(BrokerRequest *req);
extern BrokerOutcome broker_find_coordinator(BrokerRequest *req);

/* ---------- answers when a handler raised an error ---------- */

extern void broker_produce_fail(BrokerRequest *req, int16 error);
extern void broker_fetch_fail(BrokerRequest *req, int16 error);
extern void broker_list_offsets_fail(BrokerRequest *req, int16 error);
extern void broker_init_producer_id_fail(BrokerRequest *req, int16 error);
extern void broker_create_topics_fail(BrokerRequest *req, int16 error);
extern void broker_delete_topics_fail(BrokerRequest *req, int16 error);
extern void broker_create_partitions_fail(BrokerRequest *req, int16 error);
extern void broker_delete_records_fail(BrokerRequest *req, int16 error);
extern void broker_incremental_alter_configs_fail(BrokerRequest *req, int16 error);
extern void broker_alter_configs_fail(BrokerRequest *req, int16 error);

/* ---------- memory of a response ---------- */

/* n structs, initialised to their defaults; raises an error if there is no memory. */
#define BROKER_NEW(req, type, n)	((type *) broker_new(req, &wire_##type, n))

/* The same where nothing may be raised: NULL if there is no memory. */
#define BROKER_TRY_NEW(req, type, n) WIRE_NEW((req)->arena, type, Max(n, 1))

extern void *broker_new(BrokerRequest *req, const WireStruct *type, size_t n);
extern void *broker_alloc(BrokerRequest *req, size_t n, size_t size);
extern WireString broker_printf(BrokerRequest *req, const char *format,...) pg_attribute_printf(2, 3);
extern WireString broker_copy(BrokerRequest *req, const char *string);

extern void broker_out_of_memory(void) pg_attribute_noreturn();

/* The clock of the request, in Kafka's milliseconds. */
extern int64 broker_now_ms(BrokerRequest *req);

/* A NUL-terminated copy in CurrentMemoryContext; the null string gives NULL. */
extern char *broker_cstring(WireString s);

/* ---------- requests that ask for much ---------- */

/*
 * Items 0 to n - 1 of a request, done in as many turns as that takes; then `finish`
 * makes the outcome.  `item` returns false if it needs another turn, too, and is
 * called with the same number again.  A handler returns what broker_loop() does.
 */
typedef struct BrokerLoop
{
	bool		(*item) (BrokerRequest *req, int i);
	BrokerHandler finish;
	int			n;
	int			next;
} BrokerLoop;

extern BrokerOutcome broker_loop(BrokerRequest *req, BrokerLoop *loop); /* in req->context */
extern BrokerOutcome broker_done(BrokerRequest *req);	/* a finish that has nothing to do */

/* A loop of items that need nothing but the request and its response. */
extern BrokerOutcome broker_each(BrokerRequest *req, int n, bool (*item) (BrokerRequest *req, int i));

/* Has this call taken as long as it may? */
extern bool broker_turn_is_over(BrokerRequest *req);

/* ---------- errors of one item out of several ---------- */

/*
 * Run a step whose failure must not cost what else the transaction does.  An error that it raises is
 * undone and returned, for FreeErrorData(); NULL if it went well.
 */
extern ErrorData *broker_catch(void (*step) (void *arg), void *arg);

typedef void (*BrokerStep) (BrokerRequest *req, void *arg);

/*
 * Run a step of a request whose failure must not cost the others.  What it
 * raises is logged, undone, and returned as Kafka's code, with its message
 * in *message unless that is NULL; KAFKA_NONE if it went well.
 */
extern int16 broker_try(BrokerRequest *req, BrokerStep step, void *arg, WireString *message);

/* ---------- lists of names ---------- */

typedef enum BrokerRepeat
{
	BROKER_ONCE = 0,			/* the only one of its name */
	BROKER_FIRST,				/* others follow */
	BROKER_AGAIN				/* the same as an earlier one */
} BrokerRepeat;

/*
 * For n structs of a size with a WireString at an offset: which of them repeat
 * a name?  The array is palloc'd.
 */
extern BrokerRepeat *broker_repeats(const void *items, int n, size_t size, size_t offset);

#endif							/* BROKER_HANDLERS_H */
