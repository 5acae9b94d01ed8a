/*-------------------------------------------------------------------------
 *
 * headers.c
 *	  The headers of a record and the type broker.header[].
 *
 * Order, duplicates and null values are kept; a header's key is text and never
 * null.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "am/headers.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* Attributes of broker.header. */
#define HEADER_KEY 0
#define HEADER_VALUE 1
#define HEADER_N_ATTRS 2

static TupleDesc
header_desc(Oid type)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(type, -1);

	if (desc->natts != HEADER_N_ATTRS)
		elog(ERROR, "type %s is not broker.header", format_type_be(type));
	return desc;
}

RecordHeader *
headers_from_array(Datum array, int32 *n)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	Datum	   *elems;
	bool	   *nulls;
	int			n_elems;
	RecordHeader *headers;
	TupleDesc	desc;

	deconstruct_array(a, ARR_ELEMTYPE(a), -1, false, TYPALIGN_DOUBLE, &elems, &nulls, &n_elems);
	*n = n_elems;
	if (n_elems == 0)
		return NULL;

	headers = palloc(n_elems * sizeof(RecordHeader));
	desc = header_desc(ARR_ELEMTYPE(a));
	for (int i = 0; i < n_elems; i++)
	{
		RecordHeader *h = &headers[i];
		HeapTupleHeader row;
		HeapTupleData tuple;
		Datum		values[HEADER_N_ATTRS];
		bool		isnull[HEADER_N_ATTRS];
		struct varlena *v;

		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("a header must not be null")));
		row = DatumGetHeapTupleHeader(elems[i]);
		tuple.t_len = HeapTupleHeaderGetDatumLength(row);
		ItemPointerSetInvalid(&tuple.t_self);
		tuple.t_tableOid = InvalidOid;
		tuple.t_data = row;
		heap_deform_tuple(&tuple, desc, values, isnull);

		if (isnull[HEADER_KEY])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("the key of a header must not be null")));
		v = PG_DETOAST_DATUM_PACKED(values[HEADER_KEY]);
		h->key = VARDATA_ANY(v);
		h->key_len = VARSIZE_ANY_EXHDR(v);
		h->value = NULL;
		h->value_len = -1;
		if (!isnull[HEADER_VALUE])
		{
			v = PG_DETOAST_DATUM_PACKED(values[HEADER_VALUE]);
			h->value = VARDATA_ANY(v);
			h->value_len = VARSIZE_ANY_EXHDR(v);
		}
	}
	ReleaseTupleDesc(desc);
	return headers;
}

/*
 * Nobody checks the headers that Kafka clients send, and a header's key that
 * is no valid text must not fail a SELECT: bad bytes become question marks.
 */
static text *
header_key(const char *data, int32 len)
{
	text	   *result = cstring_to_text_with_len(data, len);
	char	   *p = VARDATA(result);
	int			left = len;

	while (left > 0)
	{
		int			good = pg_encoding_verifymbstr(GetDatabaseEncoding(), p, left);

		p += good;
		left -= good;
		if (left > 0)
		{
			*p++ = '?';
			left--;
		}
	}
	return result;
}

Datum
headers_decode(Oid type, const Record *record)
{
	TupleDesc	desc = header_desc(type);
	Datum	   *elems = palloc(record->n_headers * sizeof(Datum));
	const char *p = record->headers;
	RecordHeader h;
	int			n = 0;
	ArrayType  *array;

	while (n < record->n_headers && record_headers_next(record, &p, &h))
	{
		Datum		values[HEADER_N_ATTRS];
		bool		isnull[HEADER_N_ATTRS] = {false, h.value == NULL};

		values[HEADER_KEY] = PointerGetDatum(header_key(h.key, h.key_len));
		values[HEADER_VALUE] = h.value == NULL ? (Datum) 0 :
			PointerGetDatum(cstring_to_text_with_len(h.value, h.value_len));
		elems[n++] = HeapTupleGetDatum(heap_form_tuple(desc, values, isnull));
	}
	ReleaseTupleDesc(desc);
	array = construct_array(elems, n, type, -1, false, TYPALIGN_DOUBLE);
	return PointerGetDatum(array);
}
