/*-------------------------------------------------------------------------
 *
 * session.h
 *	  What SQL sessions ask of the coordinator, beside Kafka's requests.
 *
 * Messages are sequences of fields as in Kafka's protocol (wire/bytes.h), not compact.
 *
 *	CALL_USE	group string, purpose int8 (SessionPurpose), member nullable string,
 *				generation int32 (-1: any), number of partitions int32, and of each:
 *				topic string, its id 16 bytes, partition int32
 *		->		error int16 (Kafka's, or SESSION_WRONG_KIND), kind int8 (GroupKind),
 *				index int32 of the partition it is about (-1: of none); without an error
 *				offsets int64 of all partitions (-1: none)
 *
 *		The positions that the session has pinned become known, unless the group
 *		doesn't exist.
 *
 *	CALL_RELEASE	group string, topic nullable string
 *		->		error int16, kind int8
 *
 *	CALL_SHOW	what int8 (GroupShow)
 *		->		rows, see group_show()
 *
 *-------------------------------------------------------------------------
 */
#ifndef EXCHANGE_SESSION_H
#define EXCHANGE_SESSION_H

#define CALL_USE (-1)
#define CALL_RELEASE (-2)
#define CALL_SHOW (-3)

typedef enum SessionPurpose
{
	SESSION_LOOK,				/* only to tell where the group is */
	SESSION_COMMIT,				/* to commit offsets: claim them for SQL */
	SESSION_CONSUME,			/* to consume: the group becomes one of SQL sessions */
	SESSION_SEEK				/* to go elsewhere: it must not have members */
} SessionPurpose;

#define SESSION_WRONG_KIND (-100)

#endif /* EXCHANGE_SESSION_H */
