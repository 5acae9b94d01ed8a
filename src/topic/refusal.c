/*-------------------------------------------------------------------------
 *
 * refusal.c
 *	  The table of what a topic can't do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "topic/refusal.h"

static const struct
{
	const char *what;			/* topic "x" does not support ... */
	const char *hint;
}			refusals[] =
{
	[TOPIC_NO_UPDATE] = {"UPDATE",
	"A topic is a log. Produce a new record instead."},
	[TOPIC_NO_DELETE] = {"DELETE",
	"Records leave by the settings retention.ms and retention.bytes, by Kafka's DeleteRecords, or "
	"all at once by TRUNCATE."},
	[TOPIC_NO_MERGE] = {"MERGE",
	"Use INSERT ... SELECT."},
	[TOPIC_NO_ON_CONFLICT] = {"ON CONFLICT DO UPDATE",
	"A topic has no unique constraint. Leave out the ON CONFLICT clause."},
	[TOPIC_NO_ROW_LOCK] = {"SELECT FOR UPDATE/SHARE",
	"Records never change, so they need no locks. Leave out the locking clause, or name the other "
	"tables in it with OF."},
	[TOPIC_NO_TABLESAMPLE] = {"TABLESAMPLE",
	"Restrict partition and log_offset, or ts, instead."},
	[TOPIC_NO_INDEX] = {"indexes",
	"Records are found by partition with log_offset or ts without an index. For other columns use "
	"a table or materialized view filled from the topic."},
	[TOPIC_NO_COLUMN_CHANGE] = {"changes of its columns",
	"Create another topic with other key and value types, and copy the records."},
	[TOPIC_NO_CONSTRAINT] = {"constraints or defaults",
	"Kafka clients would not be held to them. Choose the value type json or text to have values "
	"checked."},
	[TOPIC_NO_FOREIGN_KEY] = {"foreign keys",
	"Records come and go without regard to other tables."},
	[TOPIC_NO_TRIGGER] = {"triggers",
	"Kafka clients would not fire them. Read the topic with broker.fetch() and act on its "
	"records."},
	[TOPIC_NO_RULE] = {"rules",
	"Kafka clients would not be subject to them."},
	[TOPIC_NO_ROW_SECURITY] = {"row security",
	"Kafka clients would not be subject to it. Grant SELECT and INSERT on the whole topic, or on "
	"a view for SQL users."},
	[TOPIC_NO_COLUMN_GRANT] = {"privileges on columns",
	"Kafka clients read and write whole records. Grant on the whole topic, or on a view for SQL "
	"users."},
	[TOPIC_NO_INHERITANCE] = {"inheritance or partitioning",
	"A topic has partitions of its own; add some with broker.alter_topic(). Combine topics in a "
	"view with UNION ALL."},
	[TOPIC_NO_RENAME] = {"RENAME",
	"Kafka clients know a topic by its name. Create a new topic and copy the records."},
	[TOPIC_NO_SET_SCHEMA] = {"SET SCHEMA",
	"Topics live in schema \"topic\", and nothing else does."},
	[TOPIC_NO_PERSISTENCE] = {"being temporary or unlogged",
	"An acknowledged record must survive a crash."},
	[TOPIC_NO_SET_ACCESS_METHOD] = {"SET ACCESS METHOD",
	"Create a topic with broker.create_topic() and copy the rows with INSERT ... SELECT."},
	[TOPIC_NO_OPTIONS] = {"storage parameters",
	"Topics are set up with broker.alter_topic(), under the names of Kafka's topic settings."},
	[TOPIC_NO_STATISTICS] = {"extended statistics",
	"Make them on a table filled from the topic."},
	[TOPIC_NO_OTHER_ALTER] = {"this form of ALTER TABLE",
	"Only OWNER TO and SET TABLESPACE apply to topics; the rest is done with "
	"broker.alter_topic()."},
	[TOPIC_NO_VACUUM_FULL] = {"VACUUM FULL",
	"Space is reused as records expire, and plain VACUUM gives back what is free at the end of "
	"the file. Name the tables that you want VACUUM FULL for."},
	[TOPIC_NO_CLUSTER] = {"CLUSTER",
	"Records are stored in the order of their offsets."},
	[TOPIC_NO_PUBLICATION] = {"being published",
	"Let subscribers read it with a Kafka client or broker.fetch()."},
	[TOPIC_NO_TABLE_AS] = {"being created from a query",
	"Create it with broker.create_topic() and fill it with INSERT ... SELECT."},
	[TOPIC_NO_OTHER_COLUMNS] = {"these columns",
	"Create it with broker.create_topic()."},
	[TOPIC_NO_OTHER_SCHEMA] = {"being outside schema \"topic\"",
	"Create it with broker.create_topic()."},
	[TOPIC_NO_OTHER_OBJECT] = {NULL,
	"Schema \"topic\" holds topics only. Create them with broker.create_topic(), and everything "
	"else in another schema."},
	[TOPIC_NO_SQL_WRITES] = {"INSERT, COPY and TRUNCATE, being the broker's own",
	"Offsets of groups are committed by broker.commit_offsets() and broker.consume(), and changed by broker.seek()."},
};

void
topic_refuse(TopicRefusal refusal, const char *name)
{
	Assert(refusal < lengthof(refusals) && refusals[refusal].hint != NULL);

	if (refusals[refusal].what == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 name ? errmsg("\"%s\" can't be in schema \"topic\"", name) :
				 errmsg("this can't be in schema \"topic\""),
				 errhint("%s", refusals[refusal].hint)));

	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 name ? errmsg("topic \"%s\" does not support %s", name, refusals[refusal].what) :
			 errmsg("topics do not support %s", refusals[refusal].what),
			 errhint("%s", refusals[refusal].hint)));
}
