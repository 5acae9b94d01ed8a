EXTENSION = pg_broker
MODULE_big = pg_broker
DATA = $(wildcard sql/pg_broker--*.sql)
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c src/*/*.c)) $(patsubst %.cpp,%.o,$(wildcard src/*/*.cpp))

PG_CPPFLAGS = -I$(srcdir)/src
PG_CFLAGS = -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers
PG_CXXFLAGS = -Wall -Wextra -Werror
# The server loads libraries into one name space: our calls are to our functions.
SHLIB_LINK = -Wl,-Bsymbolic -llz4 -lzstd -lsnappy -lz -lre2 -lstdc++

# The tests need a cluster of their own with the library preloaded: see test/run.
REGRESS = $(patsubst sql/%.sql,%,$(filter-out sql/pg_broker--%.sql,$(wildcard sql/*.sql)))

# The code is not worth inlining into JIT-compiled queries.
override with_llvm := no

# make STOP_POINTS=1: a build for crash tests (src/log/stop_point.h)
ifdef STOP_POINTS
PG_CPPFLAGS += -DPG_BROKER_STOP_POINTS
endif

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Header dependencies, so that an incremental build is right.
override CFLAGS += -MMD -MP
override CXXFLAGS += -MMD -MP
-include $(OBJS:.o=.d)
EXTRA_CLEAN = $(OBJS:.o=.d)
