/*-------------------------------------------------------------------------
 *
 * timer.c
 *	  Timers of the group coordinator: a heap ordered by time.
 *
 * A timer is part of what it belongs to and knows its place in the heap, so
 * it can be set again (as every heartbeat does) or stopped in logarithmic time.
 *
 *-------------------------------------------------------------------------
 */
#include "group/internal.h"

static void
put(GroupCoordinator *co, int32_t position, GroupTimer *timer)
{
	co->heap[position] = timer;
	timer->position = position;
}

static void
sift_up(GroupCoordinator *co, int32_t position, GroupTimer *timer)
{
	while (position > 1 && co->heap[position / 2]->when > timer->when)
	{
		put(co, position, co->heap[position / 2]);
		position /= 2;
	}
	put(co, position, timer);
}

static void
sift_down(GroupCoordinator *co, int32_t position, GroupTimer *timer)
{
	for (;;)
	{
		int32_t		child = position * 2;

		if (child > co->n_timers)
			break;
		if (child < co->n_timers && co->heap[child + 1]->when < co->heap[child]->when)
			child++;
		if (co->heap[child]->when >= timer->when)
			break;
		put(co, position, co->heap[child]);
		position = child;
	}
	put(co, position, timer);
}

static void
settle(GroupCoordinator *co, int32_t position, GroupTimer *timer)
{
	if (position > 1 && co->heap[position / 2]->when > timer->when)
		sift_up(co, position, timer);
	else
		sift_down(co, position, timer);
}

void
group_timer_set(GroupCoordinator *co, GroupTimer *timer, GroupTimerKind kind, void *owner, int64_t when)
{
	timer->kind = kind;
	timer->owner = owner;

	/* Never due in the call that sets it, so that group_tick() comes to an end. */
	timer->when = when > co->now ? when : co->now + 1;
	if (timer->position == 0)
	{
		if (co->n_timers + 2 > co->cap_timers)
		{
			co->cap_timers = co->cap_timers ? co->cap_timers * 2 : 64;
			co->heap = group_realloc(co, co->heap, co->cap_timers * sizeof(GroupTimer *));
		}
		co->n_timers++;
		sift_up(co, co->n_timers, timer);
	}
	else
		settle(co, timer->position, timer);
}

void
group_timer_stop(GroupCoordinator *co, GroupTimer *timer)
{
	int32_t		position = timer->position;
	GroupTimer *last;

	if (position == 0)
		return;
	timer->position = 0;
	last = co->heap[co->n_timers--];
	if (last != timer)
		settle(co, position, last);
}
