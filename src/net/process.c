/*-------------------------------------------------------------------------
 *
 * process.c
 *	  Start, end and transactions of the broker's processes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "broker/settings.h"
#include "catalog/indexing.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_database.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "net/process.h"
#include "net/shared.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/sinval.h"
#include "tcop/tcopprot.h"
#include "topic/topic.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

MemoryContext net_turn_context;

static uint32 extension_seen;	/* catalog_changes when we last looked */
static bool extension_looked;
static Oid	extension_owner;

static bool catalog_touched;	/* by the current transaction of this process */
static object_access_hook_type previous_object_access_hook;

/* Ends the process at the next safe place, wherever it is. */
static void
handle_sigterm(SIGNAL_ARGS)
{
	int			save_errno = errno;

	ShutdownRequestPending = true;
	die(postgres_signal_arg);
	errno = save_errno;
}

/*
 * To connect to a database that doesn't exist is fatal, and we would be started
 * again and again.
 */
static void
wait_for_database(const char *database)
{
	while (pg_atomic_read_u32(&net_shared->database_exists) == 0)
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, -1, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		if (ShutdownRequestPending)
			proc_exit(1);
	}
}

void
net_process_start(const char *database, Latch **attach)
{
	net_turn_context = AllocSetContextCreate(TopMemoryContext, "pg_broker turn",
											 ALLOCSET_DEFAULT_SIZES);
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, handle_sigterm);
	BackgroundWorkerUnblockSignals();

	net_attach_latch(attach);
	if (database)
		wait_for_database(database);
	BackgroundWorkerInitializeConnection(database, NULL, 0);

	/*
	 * Objects that clients name are looked up by schema, never by path; keep
	 * functions that we call from being led astray all the same.  No statement
	 * here is long, and a lock that is not to be had soon is refused.
	 */
	SetConfigOption("search_path", "pg_catalog", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("statement_timeout", "0", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("idle_in_transaction_session_timeout", "0", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "off", PGC_SUSET, PGC_S_OVERRIDE);

	/* Whoever commits here must not wait for a standby, which may be away for long. */
	if (database)
		SetConfigOption("synchronous_commit", "local", PGC_SUSET, PGC_S_OVERRIDE);
	pgstat_report_appname("pg_broker");
	pgstat_report_activity(STATE_IDLE, NULL);
}

void
net_process_interrupts(void)
{
	if (ShutdownRequestPending)
		proc_exit(1);			/* from here without a word in the log */
	if (!IsTransactionState())
		QueryCancelPending = false; /* there is nothing to cancel */
	CHECK_FOR_INTERRUPTS();
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
	/* Others wait for us when the queue of invalidations is full. */
	if (catchupInterruptPending)
		ProcessCatchupInterrupt();
}

/* ---------- the database and the extension ---------- */

/* Without a database there is no index to look it up by. */
static bool
database_exists(void)
{
	Relation	rel = table_open(DatabaseRelationId, AccessShareLock);
	TableScanDesc scan = table_beginscan_catalog(rel, 0, NULL);
	HeapTuple	tuple;
	bool		found = false;

	while (!found && (tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
		found = strcmp(NameStr(((Form_pg_database) GETSTRUCT(tuple))->datname), broker_database) == 0;
	table_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

void
net_look_for_database(void)
{
	static uint32 seen;
	static bool looked;
	static bool told;
	uint32		changes = pg_atomic_read_u32(&net_shared->catalog_changes);
	bool		exists;

	if (looked && changes == seen)
		return;
	net_transaction_begin();
	exists = database_exists();
	net_turn_done();
	seen = changes;
	looked = true;

	pg_atomic_write_u32(&net_shared->database_exists, exists);
	if (exists)
		net_wake_all();
	else if (!told)
		ereport(LOG,
				(errcode(ERRCODE_UNDEFINED_DATABASE),
				 errmsg("the Kafka broker waits for database \"%s\" to be created", broker_database),
				 errhint("The setting \"pg_broker.database\" says which database it serves.")));
	told = !exists;
}

static void
look_for_extension(void)
{
	Relation	rel;
	SysScanDesc scan;
	ScanKeyData key;
	HeapTuple	tuple;

	extension_owner = InvalidOid;
	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("pg_broker"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		extension_owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);

	if (OidIsValid(extension_owner) && topic_readiness() != TOPIC_READY)
	{
		ereport(LOG,
				(errmsg("the broker can't serve the version of pg_broker's SQL objects that is installed"),
				 errhint("Run ALTER EXTENSION pg_broker UPDATE in database \"%s\".", broker_database)));
		extension_owner = InvalidOid;
	}
}

bool
net_extension_exists(void)
{
	uint32		changes = pg_atomic_read_u32(&net_shared->catalog_changes);

	if (!extension_looked || changes != extension_seen)
	{
		bool		own = !IsTransactionState();

		if (own)
			net_transaction_begin();
		look_for_extension();
		if (own)
			net_turn_done();
		extension_seen = changes;
		extension_looked = true;
	}
	return OidIsValid(extension_owner);
}

Oid
net_extension_owner(void)
{
	return extension_owner;
}

void
net_wait_for_extension(void)
{
	while (!net_extension_exists())
	{
		(void) net_report_stats();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, -1, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		net_process_interrupts();
	}
}

static void
catalog_object_access(ObjectAccessType access, Oid classId, Oid objectId, int subId, void *arg)
{
	if (previous_object_access_hook)
		previous_object_access_hook(access, classId, objectId, subId, arg);

	/* Whichever extension or database it is: the processes look for themselves. */
	if ((classId == ExtensionRelationId || classId == DatabaseRelationId) &&
		(access == OAT_POST_CREATE || access == OAT_DROP || access == OAT_POST_ALTER))
		catalog_touched = true;
}

static void
catalog_xact_callback(XactEvent event, void *arg)
{
	if (!catalog_touched)
		return;
	switch (event)
	{
		case XACT_EVENT_COMMIT:
			catalog_touched = false;
			pg_atomic_fetch_add_u32(&net_shared->catalog_changes, 1);
			net_wake_all();
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:	/* COMMIT PREPARED goes unnoticed until the next
									 * change */
			catalog_touched = false;
			break;
		default:
			break;
	}
}

void
net_catalog_hook_init(void)
{
	previous_object_access_hook = object_access_hook;
	object_access_hook = catalog_object_access;
	RegisterXactCallback(catalog_xact_callback, NULL);
}

/* ---------- transactions ---------- */

void
net_transaction_begin(void)
{
	if (IsTransactionState())
		return;
	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	MemoryContextSwitchTo(net_turn_context);
}

void
net_transaction_end(void)
{
	if (!IsTransactionState())
		return;
	net_act_as_self();
	if (ActiveSnapshotSet())
		PopActiveSnapshot();
	CommitTransactionCommand();
	MemoryContextSwitchTo(net_turn_context);
}

void
net_turn_done(void)
{
	net_transaction_end();
	MemoryContextReset(net_turn_context);
}

void
net_transaction_failed(bool report)
{
	HOLD_INTERRUPTS();
	MemoryContextSwitchTo(net_turn_context);
	if (report)
		EmitErrorReport();
	AbortCurrentTransaction();
	FlushErrorState();
	MemoryContextSwitchTo(net_turn_context);
	RESUME_INTERRUPTS();
}

void
net_act_as(Oid role)
{
	Oid			user;
	int			context;

	GetUserIdAndSecContext(&user, &context);
	if (user != role)
		SetUserIdAndSecContext(role, context | SECURITY_LOCAL_USERID_CHANGE);
}

void
net_act_as_self(void)
{
	SetUserIdAndSecContext(GetSessionUserId(), 0);
}

long
net_report_stats(void)
{
	long		wait;

	if (IsTransactionState())
		return -1;
	wait = pgstat_report_stat(false);
	return wait > 0 ? wait : -1;
}
