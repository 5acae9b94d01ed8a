# postgres.sh: builds of the extension, and a copy of PostgreSQL's installation, for an extension under test.  Sourced by bash scripts.
#
# PostgreSQL finds its files relative to its programs, so that a copied tree is a complete installation of its own:
# installing into it leaves the system's alone.

PG_COPY=""

# copy_postgres DIR: make the copy in DIR
copy_postgres() {
	local dir=$1
	mkdir -p "$dir/lib/postgresql" "$dir/share/postgresql" "$dir/include/postgresql" &&
		cp -a "/usr/lib/postgresql/$PG_MAJOR" "$dir/lib/postgresql/" &&
		cp -a "/usr/share/postgresql/$PG_MAJOR" "$dir/share/postgresql/" &&
		ln -sfn "/usr/include/postgresql/$PG_MAJOR" "$dir/include/postgresql/$PG_MAJOR" &&
		ln -sfn "$(dirname "$(find /usr/lib -name libpq.so.5 | head -1)")" "$dir/lib/$(uname -m)-linux-gnu" &&
		rm -f "$dir/lib/postgresql/$PG_MAJOR/lib/pg_broker.so" \
			"$dir/share/postgresql/$PG_MAJOR/extension"/pg_broker* &&
		chmod -R a+rX "$dir" && PG_COPY=$dir
}

bindir_of_copy() { echo "$PG_COPY/lib/postgresql/$PG_MAJOR/bin"; }

pg_config_of_copy() { echo "$(bindir_of_copy)/pg_config"; }

# The system's pg_config: headers are the same in every copy, so compiled files are good for the next one.
PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config

# build_tree NAME MAKE-ARGUMENT...: compile in a tree of its own under build/, so that flavours don't mix
build_tree() {
	local dir=$TOP/build/$1
	shift
	mkdir -p "$dir"
	# Copies keep their times, so that make compiles only what has changed; what is gone from the sources goes there too.
	(cd "$dir" && find . -type f -path './s*' ! -name '*.o' ! -name '*.d' ! -name '*.bc') | while read -r f; do
		[ -e "$TOP/$f" ] || rm -f "$dir/$f" "$dir/${f%.*}.o" "$dir/${f%.*}.d"
	done
	cp -pu --parents $(find src sql -name '*.[ch]' -o -name '*.cpp' -o -name '*.sql' -o -name '*.def' -o -name '*.inc') \
		Makefile pg_broker.control "$dir/" || return 1
	if [ "$(cat "$dir/flags" 2>/dev/null)" != "$PG_MAJOR $*" ]; then
		find "$dir" -name '*.[od]' -delete
		echo "$PG_MAJOR $*" >"$dir/flags"
	fi
	make -s -C "$dir" -j"${JOBS:-$(nproc)}" PG_CONFIG="$PG_CONFIG" "$@"
}

# install_tree NAME MAKE-ARGUMENT...: install that build into the copy
install_tree() {
	local dir=$TOP/build/$1
	shift
	make -s -C "$dir" PG_CONFIG="$(pg_config_of_copy)" "$@" install >/dev/null && chmod -R a+rX "$PG_COPY"
}

# install_module NAME: compile an extension for tests, test/modules/NAME, and install it into the copy
install_module() {
	local dir=$TOP/build/module-$1
	mkdir -p "$dir" && cp -pu "$TOP/test/modules/$1"/* "$dir/" &&
		make -s -C "$dir" PG_CONFIG="$PG_CONFIG" TOP="$TOP" "COPT=$TEST_FLAGS" all &&
		make -s -C "$dir" PG_CONFIG="$(pg_config_of_copy)" TOP="$TOP" "COPT=$TEST_FLAGS" install >/dev/null &&
		chmod -R a+rX "$PG_COPY"
}
