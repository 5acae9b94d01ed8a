/*-------------------------------------------------------------------------
 *
 * partitions.c
 *	  Sets of partitions of several topics.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

#include <stdlib.h>

void
partition_list_add(GroupCoordinator *co, PartitionList *list, const WireUuid *topic_id, int32_t partition,
				   int32_t epoch)
{
	if (list->n == list->cap)
	{
		int32_t		cap = list->cap ? list->cap * 2 : 8;
		PartitionItem *items = group_out_array(co, PartitionItem, cap);

		if (list->n > 0)
			memcpy(items, list->items, list->n * sizeof(PartitionItem));
		list->items = items;
		list->cap = cap;
	}
	list->items[list->n++] = (PartitionItem) {*topic_id, partition, epoch};
}

static int
compare_items(const void *a, const void *b)
{
	const PartitionItem *x = a;
	const PartitionItem *y = b;
	int			c = group_uuid_compare(&x->topic_id, &y->topic_id);

	return c != 0 ? c : (x->partition > y->partition) - (x->partition < y->partition);
}

GroupPartitions
partitions_of(GroupCoordinator *co, PartitionList *list)
{
	GroupPartitions p = {0};
	int32_t		n_topics = 0;
	int32_t		n = 0;

	if (list->n == 0)
		return p;
	qsort(list->items, list->n, sizeof(PartitionItem), compare_items);
	for (int32_t i = 0; i < list->n; i++)
	{
		if (n > 0 && compare_items(&list->items[n - 1], &list->items[i]) == 0)
			continue;
		list->items[n++] = list->items[i];
		if (n == 1 || group_uuid_compare(&list->items[n - 2].topic_id, &list->items[n - 1].topic_id) != 0)
			n_topics++;
	}
	list->n = n;

	p.topics = group_out_array(co, GroupTopicPartitions, n_topics);
	for (int32_t i = 0, end; i < n; i = end)
	{
		GroupTopicPartitions *t = &p.topics[p.n++];

		for (end = i;
			 end < n && group_uuid_compare(&list->items[i].topic_id, &list->items[end].topic_id) == 0;)
			end++;
		t->topic_id = list->items[i].topic_id;
		t->n = end - i;
		t->partitions = group_out_array(co, int32_t, t->n);
		t->epochs = group_out_array(co, int32_t, t->n);
		for (int32_t j = 0; j < t->n; j++)
		{
			t->partitions[j] = list->items[i + j].partition;
			t->epochs[j] = list->items[i + j].epoch;
		}
	}
	return p;
}

GroupPartitions
partitions_copy(GroupCoordinator *co, const GroupPartitions *p)
{
	GroupPartitions copy = {0};

	if (p->n == 0)
		return copy;
	copy.n = p->n;
	copy.topics = group_alloc(co, p->n * sizeof(GroupTopicPartitions));
	for (int32_t i = 0; i < p->n; i++)
	{
		const GroupTopicPartitions *from = &p->topics[i];
		GroupTopicPartitions *to = &copy.topics[i];
		size_t		size = from->n * sizeof(int32_t);

		to->topic_id = from->topic_id;
		to->n = from->n;
		to->partitions = group_alloc(co, size);
		memcpy(to->partitions, from->partitions, size);
		if (from->epochs)
		{
			to->epochs = group_alloc(co, size);
			memcpy(to->epochs, from->epochs, size);
		}
	}
	return copy;
}

void
partitions_free(GroupCoordinator *co, GroupPartitions *p)
{
	for (int32_t i = 0; i < p->n; i++)
	{
		group_free(co, p->topics[i].partitions);
		group_free(co, p->topics[i].epochs);
	}
	group_free(co, p->topics);
	memset(p, 0, sizeof(*p));
}

static int
compare_topic(const void *key, const void *element)
{
	return group_uuid_compare(key, &((const GroupTopicPartitions *) element)->topic_id);
}

static int
compare_partition(const void *key, const void *element)
{
	int32_t		a = *(const int32_t *) key;
	int32_t		b = *(const int32_t *) element;

	return (a > b) - (a < b);
}

bool
partitions_find(const GroupPartitions *p, const WireUuid *topic_id, int32_t partition, int32_t *epoch)
{
	const GroupTopicPartitions *t;
	const int32_t *found;

	if (p->n == 0)
		return false;
	t = bsearch(topic_id, p->topics, p->n, sizeof(GroupTopicPartitions), compare_topic);
	found = t ? bsearch(&partition, t->partitions, t->n, sizeof(int32_t), compare_partition) : NULL;
	if (found && epoch)
		*epoch = t->epochs ? t->epochs[found - t->partitions] : -1;
	return found != NULL;
}

bool
partitions_equal(const GroupPartitions *a, const GroupPartitions *b, bool with_epochs)
{
	if (a->n != b->n)
		return false;
	for (int32_t i = 0; i < a->n; i++)
	{
		const GroupTopicPartitions *x = &a->topics[i];
		const GroupTopicPartitions *y = &b->topics[i];

		if (x->n != y->n || group_uuid_compare(&x->topic_id, &y->topic_id) != 0 ||
			memcmp(x->partitions, y->partitions, x->n * sizeof(int32_t)) != 0)
			return false;
		if (with_epochs && x->epochs && y->epochs &&
			memcmp(x->epochs, y->epochs, x->n * sizeof(int32_t)) != 0)
			return false;
	}
	return true;
}

int32_t
partitions_count(const GroupPartitions *p)
{
	int32_t		n = 0;

	for (int32_t i = 0; i < p->n; i++)
		n += p->topics[i].n;
	return n;
}

bool
partitions_overlap(const GroupPartitions *a, const GroupPartitions *b)
{
	for_partitions(a, t, i)
		if (partitions_find(b, &t->topic_id, t->partitions[i], NULL))
			return true;
	return false;
}
