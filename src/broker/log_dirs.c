/*-------------------------------------------------------------------------
 *
 * log_dirs.c
 *	  DescribeLogDirs: where partitions lie, and how large they are.
 *
 * A tablespace is a log directory, and is called by its name: where it lies on
 * the server is for PostgreSQL's administrator to know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/statvfs.h>

#include "broker/handlers.h"
#include "broker/open_topic.h"
#include "catalog/pg_tablespace_d.h"
#include "commands/tablespace.h"
#include "log/log.h"
#include "miscadmin.h"
#include "utils/rel.h"
#include "wire/api_logdirs.h"

typedef DescribeLogDirsRequestDescribableLogDirTopic RequestTopic;
typedef DescribeLogDirsResponseDescribeLogDirsTopic ResponseTopic;

/* More tablespaces than this are not told apart in one answer. */
#define MAX_DIRS 64

typedef struct LogDir
{
	Oid			tablespace;
	List	   *topics;			/* of ResponseTopic * */
} LogDir;

typedef struct LogDirs
{
	int			n;
	LogDir		dirs[MAX_DIRS];
} LogDirs;

static LogDir *
dir_of(LogDirs *dirs, Oid tablespace)
{
	for (int i = 0; i < dirs->n; i++)
	{
		if (dirs->dirs[i].tablespace == tablespace)
			return &dirs->dirs[i];
	}
	if (dirs->n == MAX_DIRS)
		return &dirs->dirs[MAX_DIRS - 1];
	dirs->dirs[dirs->n].tablespace = tablespace;
	dirs->dirs[dirs->n].topics = NIL;
	return &dirs->dirs[dirs->n++];
}

static void
add_partition(Relation rel, int32 index, ResponseTopic *out)
{
	LogPartition *part = index < 0 ? NULL : log_open(rel, index);
	LogBounds	bounds;

	if (part == NULL)
		return;
	log_bounds(rel, part, &bounds);
	out->partitions[out->n_partitions].partition_index = index;
	out->partitions[out->n_partitions].partition_size = bounds.size_bytes;
	out->n_partitions++;
}

/*
 * Add a topic to the directory it lies in: the partitions that are named, or
 * all.  What doesn't exist, is locked, or may not be seen is left out.
 */
static void
add_topic(BrokerRequest *req, WireString name, const RequestTopic *in, LogDirs *dirs)
{
	BrokerTopic t;
	ResponseTopic *out;
	int			n;
	LogDir	   *dir;

	if (broker_topic_open(req, name, TOPIC_DESCRIBE, AccessShareLock, &t) != KAFKA_NONE)
		return;
	n = in ? in->n_partitions : t.topic->n_partitions;
	out = BROKER_NEW(req, DescribeLogDirsResponseDescribeLogDirsTopic, 1);
	out->name = broker_topic_name(req, t.topic);
	out->partitions = BROKER_NEW(req, DescribeLogDirsResponseDescribeLogDirsPartition, n);
	for (int i = 0; i < n; i++)
		add_partition(t.rel, in ? in->partitions[i] : i, out);
	dir = dir_of(dirs, OidIsValid(t.rel->rd_rel->reltablespace) ?
				 t.rel->rd_rel->reltablespace : MyDatabaseTableSpace);
	if (out->n_partitions > 0)
		dir->topics = lappend(dir->topics, out);
	broker_topic_close(&t);
}

typedef struct TopicStep
{
	WireString	name;
	const RequestTopic *in;
	LogDirs    *dirs;
} TopicStep;

/* BrokerStep */
static void
try_topic(BrokerRequest *req, void *arg)
{
	TopicStep  *step = arg;

	add_topic(req, step->name, step->in, step->dirs);
}

/* A damaged topic is left out as well. */
static void
add_topic_if_possible(BrokerRequest *req, WireString name, const RequestTopic *in, LogDirs *dirs)
{
	TopicStep	step = {name, in, dirs};

	(void) broker_try(req, try_topic, &step, NULL);
}

static void
fill_space(Oid tablespace, DescribeLogDirsResponseDescribeLogDirsResult *out)
{
	struct statvfs fs;
	char		path[MAXPGPATH];

	if (tablespace == DEFAULTTABLESPACE_OID || tablespace == GLOBALTABLESPACE_OID)
		strlcpy(path, DataDir, sizeof(path));
	else
		snprintf(path, sizeof(path), "pg_tblspc/%u", tablespace);
	if (statvfs(path, &fs) != 0)
		return;					/* -1: not known */
	out->total_bytes = (int64) fs.f_blocks * fs.f_frsize;
	out->usable_bytes = (int64) fs.f_bavail * fs.f_frsize;
}

static void
fill_dir(BrokerRequest *req, const LogDir *dir, DescribeLogDirsResponseDescribeLogDirsResult *out)
{
	char	   *name = get_tablespace_name(dir->tablespace);
	ListCell   *lc;

	out->log_dir = broker_copy(req, name ? name : "");
	out->topics = BROKER_NEW(req, DescribeLogDirsResponseDescribeLogDirsTopic, list_length(dir->topics));
	foreach(lc, dir->topics)
		out->topics[out->n_topics++] = *(ResponseTopic *) lfirst(lc);
	fill_space(dir->tablespace, out);
}

BrokerOutcome
broker_describe_log_dirs(BrokerRequest *req)
{
	const DescribeLogDirsRequest *in = req->request;
	DescribeLogDirsResponse *out = BROKER_NEW(req, DescribeLogDirsResponse, 1);
	LogDirs		dirs = {0};

	req->response = out;
	(void) dir_of(&dirs, MyDatabaseTableSpace);
	for (int i = 0; i < in->n_topics; i++)
		add_topic_if_possible(req, in->topics[i].topic, &in->topics[i], &dirs);
	if (in->n_topics < 0)
	{
		int			n;
		const Oid  *topics = topic_list(&n);

		for (int i = 0; i < n; i++)
		{
			int16		error;
			const Topic *topic = broker_topic_look(req, topics[i], &error);

			if (topic != NULL)
				add_topic_if_possible(req, broker_topic_name(req, topic), NULL, &dirs);
		}
	}
	out->results = BROKER_NEW(req, DescribeLogDirsResponseDescribeLogDirsResult, dirs.n);
	out->n_results = dirs.n;
	for (int i = 0; i < dirs.n; i++)
		fill_dir(req, &dirs.dirs[i], &out->results[i]);
	return BROKER_DONE;
}
