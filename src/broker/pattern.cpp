/*-------------------------------------------------------------------------
 *
 * pattern.cpp
 *	  See pattern.h: RE2, for C.
 *
 * No header of the server is included, and nothing of it is called: an error
 * of PostgreSQL's must not jump out of C++.
 *
 *-------------------------------------------------------------------------
 */
#include "broker/pattern.h"

#include <re2/re2.h>

/* Of the compiled pattern and of what matching remembers of it. */
static const int64_t MAX_MEMORY = 2 << 20;

/*
 * Instructions of the compiled pattern.  A character of text takes that many
 * steps at the worst; an ordinary pattern has a few dozen.
 */
static const int MAX_SIZE = 2000;

struct BrokerPattern
{
	RE2			re;

	BrokerPattern(const re2::StringPiece &text, const RE2::Options &options) : re(text, options) {}
};

extern "C" BrokerPattern *
broker_pattern_compile(const char *pattern, size_t length, int32_t *size)
{
	*size = 0;
	try
	{
		RE2::Options options;
		BrokerPattern *compiled;

		options.set_log_errors(false);
		options.set_max_mem(MAX_MEMORY);
		options.set_never_capture(true);
		compiled = new BrokerPattern(re2::StringPiece(pattern, length), options);
		if (compiled->re.ok())
			*size = compiled->re.ProgramSize();
		if (compiled->re.ok() && *size <= MAX_SIZE)
			return compiled;
		delete compiled;
	}
	catch (...)
	{
	}
	return nullptr;
}

extern "C" void
broker_pattern_free(BrokerPattern *pattern)
{
	delete pattern;
}

extern "C" bool
broker_pattern_matches(const BrokerPattern *pattern, const char *text, size_t length)
{
	try
	{
		return RE2::FullMatch(re2::StringPiece(text, length), pattern->re);
	}
	catch (...)
	{
		return false;
	}
}
