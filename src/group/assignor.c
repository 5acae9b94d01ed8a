/*-------------------------------------------------------------------------
 *
 * assignor.c
 *	  Who should have which partition: the assignors "uniform" and "range".
 *
 * uniform: all members have as many partitions as the others, or one more, as
 * far as their subscriptions allow, and what can stay stays.
 *
 * range: of each topic a member has neighbours; of topics with as many
 * partitions each, the same numbers.
 *
 *-------------------------------------------------------------------------
 */
#include "group/consumer.h"

#include <stdlib.h>

#define NOBODY	(-1)

/* A topic, and who has its partitions. */
typedef struct Board
{
	GroupTopic *topic;
	int32_t    *owners;			/* per partition: index of a member, or NOBODY */
	int32_t		n_subscribers;
	int32_t    *subscribers;	/* indexes of members */
} Board;

static int
compare_boards(const void *a, const void *b)
{
	return group_uuid_compare(&((const Board *) a)->topic->id, &((const Board *) b)->topic->id);
}

static Board *
find_board(Board *boards, int32_t n, const WireUuid *topic_id)
{
	int32_t		low = 0;
	int32_t		high = n;

	while (low < high)
	{
		int32_t		mid = (low + high) / 2;
		int			c = group_uuid_compare(&boards[mid].topic->id, topic_id);

		if (c == 0)
			return &boards[mid];
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* All topics that a member subscribes, with their subscribers. */
static Board *
make_boards(GroupCoordinator *co, int32_t n, const AssignorMember *members, int32_t *n_boards)
{
	Board	   *boards;
	int32_t		total = 0;
	int32_t		count = 0;

	for (int32_t i = 0; i < n; i++)
		total += members[i].n_topics;
	boards = group_out_array(co, Board, total);
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < members[i].n_topics; j++)
			boards[count++].topic = members[i].topics[j];
	qsort(boards, count, sizeof(Board), compare_boards);

	*n_boards = 0;
	for (int32_t i = 0; i < count; i++)
	{
		Board	   *last = *n_boards > 0 ? &boards[*n_boards - 1] : NULL;

		if (last == NULL || last->topic != boards[i].topic)
		{
			last = &boards[(*n_boards)++];
			last->topic = boards[i].topic;
			last->n_subscribers = 0;
		}
		last->n_subscribers++;
	}
	for (int32_t i = 0; i < *n_boards; i++)
	{
		Board	   *b = &boards[i];

		b->subscribers = group_out_array(co, int32_t, b->n_subscribers);
		b->n_subscribers = 0;
		b->owners = group_out_array(co, int32_t, b->topic->n_partitions);
		for (int32_t p = 0; p < b->topic->n_partitions; p++)
			b->owners[p] = NOBODY;
	}
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < members[i].n_topics; j++)
		{
			Board	   *b = find_board(boards, *n_boards, &members[i].topics[j]->id);

			b->subscribers[b->n_subscribers++] = i;
		}
	return boards;
}

static void
write_results(GroupCoordinator *co, AssignorMember *members, const Board *boards, int32_t n_boards)
{
	for (int32_t i = 0; i < n_boards; i++)
		for (int32_t p = 0; p < boards[i].topic->n_partitions; p++)
			if (boards[i].owners[p] != NOBODY)
				partition_list_add(co, &members[boards[i].owners[p]].result, &boards[i].topic->id, p, 0);
}

static bool
subscribes(const AssignorMember *member, const GroupTopic *topic)
{
	for (int32_t low = 0, high = member->n_topics; low < high;)
	{
		int32_t		mid = (low + high) / 2;
		int			c = group_uuid_compare(&member->topics[mid]->id, &topic->id);

		if (c == 0)
			return true;
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/*
 * Let a member keep up to so many of the partitions that it had.  Returns how many.
 */
static int32_t
keep(AssignorMember *members, int32_t i, Board *boards, int32_t n_boards, int32_t limit)
{
	int32_t		kept = 0;

	for_partitions(members[i].before, t, j)
	{
		Board	   *b = find_board(boards, n_boards, &t->topic_id);
		int32_t		p = t->partitions[j];

		if (b && kept < limit && p < b->topic->n_partitions && b->owners[p] == NOBODY &&
			subscribes(&members[i], b->topic))
		{
			b->owners[p] = i;
			kept++;
		}
	}
	return kept;
}

/* ---------- uniform, all members subscribe the same ---------- */

static void
uniform_same(GroupCoordinator *co, int32_t n, AssignorMember *members, Board *boards, int32_t n_boards)
{
	int32_t    *room = group_out_array(co, int32_t, n);
	int32_t		total = 0;
	int32_t		extra;			/* members that may have one more than the others */
	int32_t		next = 0;

	for (int32_t i = 0; i < n_boards; i++)
		total += boards[i].topic->n_partitions;
	extra = total % n;
	for (int32_t i = 0; i < n; i++)
	{
		bool		has_extra = extra > 0;

		room[i] = total / n + (has_extra ? 1 : 0);
		room[i] -= keep(members, i, boards, n_boards, room[i]);

		/* Leave the extra to somebody who has so many already, while there are enough members. */
		if (room[i] > 0 && has_extra && n - i > extra)
		{
			room[i]--;
			has_extra = false;
		}
		if (has_extra)
			extra--;
	}
	for (int32_t i = 0; i < n_boards; i++)
		for (int32_t p = 0; p < boards[i].topic->n_partitions; p++)
		{
			if (boards[i].owners[p] != NOBODY)
				continue;
			while (next < n && room[next] == 0)
				next++;
			if (next == n)
				return;			/* not reached: the rooms add up to the partitions */
			boards[i].owners[p] = next;
			room[next]--;
		}
}

/* ---------- uniform, subscriptions differ ---------- */

static int32_t
least_loaded(const Board *b, const int32_t *load)
{
	int32_t		best = b->subscribers[0];

	for (int32_t i = 1; i < b->n_subscribers; i++)
		if (load[b->subscribers[i]] < load[best])
			best = b->subscribers[i];
	return best;
}

static int
compare_subscribers(const void *a, const void *b)
{
	const Board *x = *(Board *const *) a;
	const Board *y = *(Board *const *) b;

	if (x->n_subscribers != y->n_subscribers)
		return (x->n_subscribers > y->n_subscribers) - (x->n_subscribers < y->n_subscribers);
	return compare_boards(x, y);
}

/*
 * Give what is free to who has least, topics with few subscribers first; then
 * move partitions from who has more to who has less by 2 at least.  Each move
 * makes the sum of the squares of loads smaller, so that this ends.
 */
static void
uniform_different(GroupCoordinator *co, int32_t n, AssignorMember *members, Board *boards, int32_t n_boards)
{
	int32_t    *load = group_out_array(co, int32_t, n);
	Board	  **order = group_out_array(co, Board *, n_boards);
	bool		moved = true;

	for (int32_t i = 0; i < n; i++)
		load[i] = keep(members, i, boards, n_boards, INT32_MAX);
	for (int32_t i = 0; i < n_boards; i++)
		order[i] = &boards[i];
	qsort(order, n_boards, sizeof(Board *), compare_subscribers);

	for (int32_t i = 0; i < n_boards; i++)
		for (int32_t p = 0; p < order[i]->topic->n_partitions; p++)
			if (order[i]->owners[p] == NOBODY)
			{
				order[i]->owners[p] = least_loaded(order[i], load);
				load[order[i]->owners[p]]++;
			}

	while (moved)
	{
		moved = false;
		for (int32_t i = 0; i < n_boards; i++)
		{
			Board	   *b = order[i];

			for (int32_t p = 0; p < b->topic->n_partitions; p++)
			{
				int32_t		to = least_loaded(b, load);
				int32_t		from = b->owners[p];

				if (load[from] < load[to] + 2)
					continue;
				load[from]--;
				load[to]++;
				b->owners[p] = to;
				moved = true;
			}
		}
	}
}

static bool
same_topics(const AssignorMember *a, const AssignorMember *b)
{
	return a->n_topics == b->n_topics &&
		(a->n_topics == 0 || memcmp(a->topics, b->topics, a->n_topics * sizeof(GroupTopic *)) == 0);
}

void
assignor_uniform(GroupCoordinator *co, int32_t n, AssignorMember *members)
{
	int32_t		n_boards;
	Board	   *boards = make_boards(co, n, members, &n_boards);
	bool		same = true;

	for (int32_t i = 1; i < n && same; i++)
		same = same_topics(&members[0], &members[i]);
	if (n_boards == 0)
		return;
	if (same)
		uniform_same(co, n, members, boards, n_boards);
	else
		uniform_different(co, n, members, boards, n_boards);
	write_results(co, members, boards, n_boards);
}

/* ---------- range ---------- */

static int
compare_for_range(const void *a, const void *b)
{
	const AssignorMember *x = *(AssignorMember *const *) a;
	const AssignorMember *y = *(AssignorMember *const *) b;
	bool		x_static = x->instance_id.len >= 0;
	bool		y_static = y->instance_id.len >= 0;

	if (x_static && y_static)
		return group_compare(x->instance_id, y->instance_id);
	if (x_static != y_static)
		return x_static ? -1 : 1;
	return group_compare(x->id, y->id);
}

/* Static members first, so that their partitions don't change with their member ids. */
void
assignor_range(GroupCoordinator *co, int32_t n, AssignorMember *members)
{
	AssignorMember **order = group_out_array(co, AssignorMember *, n);
	int32_t		n_boards;
	Board	   *boards = make_boards(co, n, members, &n_boards);
	int32_t    *next = group_out_array(co, int32_t, n_boards);
	int32_t    *seen = group_out_array(co, int32_t, n_boards);

	for (int32_t i = 0; i < n; i++)
		order[i] = &members[i];
	qsort(order, n, sizeof(AssignorMember *), compare_for_range);
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j < order[i]->n_topics; j++)
		{
			Board	   *b = find_board(boards, n_boards, &order[i]->topics[j]->id);
			int32_t		k = (int32_t) (b - boards);
			int32_t		share = b->topic->n_partitions / b->n_subscribers;

			if (seen[k]++ < b->topic->n_partitions % b->n_subscribers)
				share++;
			for (; share > 0; share--)
				b->owners[next[k]++] = (int32_t) (order[i] - members);
		}
	write_results(co, members, boards, n_boards);
}
