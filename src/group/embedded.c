/*-------------------------------------------------------------------------
 *
 * embedded.c
 *	  What consumers tell each other through the classic protocol.
 *
 * To the classic protocol the metadata and assignments of members are only
 * bytes.  Those of the protocol type "consumer" are read here: subscriptions
 * and assignments, versions 0 to 3.  Later versions only add fields at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

#define NEWEST	3

static EmbeddedPartitions *
read_partitions(GroupCoordinator *co, WireReader *r, int32_t *n)
{
	EmbeddedPartitions *list;

	*n = wire_read_array_len(r, false, 6);
	if (*n < 0)
		*n = 0;
	list = group_out_array(co, EmbeddedPartitions, *n);
	for (int32_t i = 0; i < *n && !r->failed; i++)
	{
		list[i].topic = wire_read_string(r, false);
		list[i].n = wire_read_array_len(r, false, 4);
		if (list[i].n < 0)
			list[i].n = 0;
		list[i].partitions = group_out_array(co, int32_t, list[i].n);
		for (int32_t j = 0; j < list[i].n; j++)
			list[i].partitions[j] = wire_read_int32(r);
	}
	return list;
}

static int16_t
read_version(WireReader *r)
{
	int16_t		version = wire_read_int16(r);

	if (version < 0)
		wire_reader_fail(r, "negative version");
	return version > NEWEST ? NEWEST : version;
}

bool
group_read_subscription(GroupCoordinator *co, WireBytes bytes, EmbeddedSubscription *subscription)
{
	WireReader	r;

	memset(subscription, 0, sizeof(*subscription));
	subscription->rack_id = WIRE_NULL_STRING;
	if (bytes.len < 0)
		return false;
	wire_reader_init(&r, bytes.data, bytes.len);
	subscription->version = read_version(&r);
	subscription->n_topics = wire_read_array_len(&r, false, 2);
	if (subscription->n_topics < 0)
		subscription->n_topics = 0;
	subscription->topics = group_out_array(co, WireString, subscription->n_topics);
	for (int32_t i = 0; i < subscription->n_topics && !r.failed; i++)
	{
		subscription->topics[i] = wire_read_string(&r, false);
		if (subscription->topics[i].len < 0)
			wire_reader_fail(&r, "null topic");
	}
	wire_read_bytes(&r, false);
	if (subscription->version >= 1)
		subscription->owned = read_partitions(co, &r, &subscription->n_owned);
	if (subscription->version >= 2)
		wire_read_int32(&r);	/* the generation in which it owned them */
	if (subscription->version >= 3)
		subscription->rack_id = wire_read_string(&r, false);
	return !r.failed;
}

bool
group_read_assignment(GroupCoordinator *co, WireBytes bytes, EmbeddedAssignment *assignment)
{
	WireReader	r;

	memset(assignment, 0, sizeof(*assignment));
	if (bytes.len < 0)
		return false;
	wire_reader_init(&r, bytes.data, bytes.len);
	assignment->version = read_version(&r);
	assignment->topics = read_partitions(co, &r, &assignment->n);
	assignment->user_data = wire_read_bytes(&r, false);
	return !r.failed;
}

WireBytes
group_write_assignment(GroupCoordinator *co, int16_t version, const GroupPartitions *partitions)
{
	WireWriter *w = &co->writer;
	int32_t		n = 0;

	for (int32_t i = 0; i < partitions->n; i++)
		if (group_topic_by_id(co, &partitions->topics[i].topic_id))
			n++;
	wire_writer_reset(w);
	wire_write_int16(w, version > NEWEST ? NEWEST : version);
	wire_write_array_len(w, n, false);
	for (int32_t i = 0; i < partitions->n; i++)
	{
		const GroupTopicPartitions *tp = &partitions->topics[i];
		GroupTopic *topic = group_topic_by_id(co, &tp->topic_id);

		if (topic == NULL)
			continue;
		wire_write_string(w, topic->name, false);
		wire_write_array_len(w, tp->n, false);
		for (int32_t j = 0; j < tp->n; j++)
			wire_write_int32(w, tp->partitions[j]);
	}
	wire_write_bytes(w, WIRE_NULL_BYTES, false);
	if (w->failed)
		co->call.no_memory(co->call.arg);
	return group_out_bytes(co, (WireBytes) {w->data, (int32_t) w->len});
}
