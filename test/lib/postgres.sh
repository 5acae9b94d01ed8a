# postgres.sh: a copy of PostgreSQL's installation, for an extension under test.  Sourced by bash scripts.
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

# The copy's pg_config, or the system's as long as there is no copy
pg_config_of_copy() {
	if [ -n "$PG_COPY" ]; then
		echo "$(bindir_of_copy)/pg_config"
	else
		echo "/usr/lib/postgresql/$PG_MAJOR/bin/pg_config"
	fi
}
