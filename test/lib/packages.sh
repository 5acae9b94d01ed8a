# packages.sh: what quickstart, the tests and the benchmarks need from outside.  Sourced by bash scripts.
#
# Everything comes from package registries by their ordinary clients: Debian's packages through apt-get (as root or by
# sudo), the rest into a cache directory that belongs to this project alone.  A second call finds things there and is quick.

if [ -n "${PG_BROKER_CACHE:-}" ]; then
	CACHE=$PG_BROKER_CACHE
elif [ "$(id -u)" = 0 ]; then
	# Readable for the unprivileged user that servers run as, which root's home is not.
	CACHE=/var/cache/pg_broker
else
	CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/pg_broker
fi

PG_MAJOR=${PG_MAJOR:-15}
PACKAGES_BUILD="postgresql-$PG_MAJOR postgresql-server-dev-$PG_MAJOR gcc g++ make libc6-dev liblz4-dev libzstd-dev
	libsnappy-dev zlib1g-dev libre2-dev"
PACKAGES_DEMO="kcat"
PACKAGES_TEST=${PACKAGES_TEST-"postgresql-$PG_MAJOR-pgtap libtap-parser-sourcehandler-pgtap-perl libipc-run-perl perl
	python3 python3-venv clang libclang-rt-14-dev clang-format git"}
PACKAGES_CLIENTS="kcat maven openjdk-17-jdk-headless"

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		echo "this needs root or sudo: $*" >&2
		return 1
	fi
}

# missing_packages NAME...: those that dpkg doesn't know as installed
missing_packages() {
	local name
	for name in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || echo "$name"
	done
}

# quietly COMMAND...: what it prints is shown only if it fails
quietly() {
	local out rc=0
	out=$("$@" 2>&1 </dev/null) || { rc=$?; printf '%s\n' "$out" >&2; }
	return $rc
}

apt_get() {
	quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

# install_packages NAME...: Debian packages, only those that are missing
install_packages() {
	local missing conf=/etc/postgresql-common/createcluster.conf
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	echo "# installing with apt-get (takes a few minutes):" $missing >&2
	apt_get update || return 1
	case " $(echo $missing) " in
		*" postgresql-$PG_MAJOR "*)
			# Debian's server package creates and starts a cluster of its own when it is first installed.
			# Nobody asked for that one: keep it from being made, then restore the setting.
			apt_get install --no-install-recommends postgresql-common || return 1
			as_root cp -p "$conf" "$conf.pg_broker"
			as_root sed -i 's/^#*[[:space:]]*create_main_cluster.*/create_main_cluster = false/' "$conf"
			local rc=0
			apt_get install --no-install-recommends "postgresql-$PG_MAJOR" || rc=$?
			as_root mv "$conf.pg_broker" "$conf"
			[ $rc = 0 ] || return $rc
			;;
	esac
	apt_get install --no-install-recommends $missing
}

# once NAME COMMAND...: run the command unless it has succeeded before with the same words; two callers take turns
once() {
	local name=$1 mark=$CACHE/$1.done
	shift
	mkdir -p "$CACHE" || return 1
	(
		flock 9
		[ "$(cat "$mark" 2>/dev/null)" = "$*" ] && exit 0
		echo "# preparing $name" >&2
		rm -f "$mark"
		"$@" >&2 && echo "$*" >"$mark"
	) 9>"$CACHE/$name.lock"
}

make_venv() {
	rm -rf "$CACHE/venv" && /usr/bin/python3 -m venv "$CACHE/venv" && "$CACHE/venv/bin/pip" -q install "$@"
}

# Python with the clients that the tests use: $CACHE/venv/bin/python
install_python() {
	install_packages python3 python3-venv || return 1
	once venv make_venv confluent-kafka==2.16.1 kafka-python==3.0.12 'psycopg[binary]==3.3.9' \
		python-snappy==0.7.3 lz4==4.4.5 zstandard==0.25.0
}

make_kafkajs() {
	rm -rf "$CACHE/kafkajs" && mkdir -p "$CACHE/kafkajs" && cd "$CACHE/kafkajs" &&
		echo '{"private": true}' >package.json && npm install --no-audit --no-fund "$@"
}

# kafkajs: $CACHE/kafkajs/node_modules
install_kafkajs() {
	command -v npm >/dev/null || install_packages nodejs npm || return 1
	once kafkajs make_kafkajs kafkajs@2.2.4
}

make_franz() {
	rm -rf "$CACHE/franz" && mkdir -p "$CACHE/franz" && cd "$FRANZ_SOURCE" && go build -o "$CACHE/franz/franz-reader" .
}

# A reader made with franz-go: $CACHE/franz/franz-reader
install_franz() {
	local src
	command -v go >/dev/null || install_packages golang-go || return 1
	src=$(cd "$(dirname "${BASH_SOURCE[0]}")/../clients/franz" && pwd) || return 1
	FRANZ_SOURCE=$src once franz make_franz "$(cat "$src"/*.go "$src"/go.mod | cksum)"
}

EXAMPLES=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/exactly_once" && pwd)

make_examples_go() {
	mkdir -p "$CACHE/exactly_once_go" && cd "$EXAMPLES/go" && go build -o "$CACHE/exactly_once_go/" ./...
}

make_examples_java() {
	local dir=$CACHE/exactly_once_java
	rm -rf "$dir" && mkdir -p "$dir" && cp "$EXAMPLES/java/pom.xml" "$dir/" &&
		mvn -q -B -f "$dir/pom.xml" dependency:copy-dependencies -DoutputDirectory="$dir/jars" &&
		javac -Xlint:all -Werror -cp "$dir/jars/*" -d "$dir/classes" "$EXAMPLES"/java/*.java && chmod -R a+rX "$dir"
}

# The programs of examples/exactly_once, compiled: $CACHE/exactly_once_go, $CACHE/exactly_once_java
install_examples() {
	command -v go >/dev/null || install_packages golang-go || return 1
	command -v javac >/dev/null || install_packages openjdk-17-jdk-headless || return 1
	command -v mvn >/dev/null || install_packages maven || return 1
	once exactly_once_go make_examples_go "$(cat "$EXAMPLES"/go/*/*.go "$EXAMPLES"/go/go.* | cksum)" &&
		once exactly_once_java make_examples_java "$(cat "$EXAMPLES"/java/* | cksum)"
}

make_platformatic() {
	rm -rf "$CACHE/platformatic" && mkdir -p "$CACHE/platformatic" && cd "$CACHE/platformatic" &&
		echo '{"private": true}' >package.json && npm install --no-audit --no-fund --loglevel=error "$@"
}

# Programs that are members of groups, by Java, Go and JavaScript clients: build/members; after install_kafka and install_kafkajs
install_members() {
	local src dir sum
	src=$(cd "$(dirname "${BASH_SOURCE[0]}")/../clients" && pwd) && dir=$(cd "$src/../.." && pwd)/build/members || return 1
	command -v go >/dev/null || install_packages golang-go || return 1
	once platformatic make_platformatic @platformatic/kafka@1.35.0 || return 1
	sum=$(cat "$src"/java/* "$src"/go/* | cksum)
	[ "$(cat "$dir/done" 2>/dev/null)" = "$sum" ] && return 0
	echo "# preparing members" >&2
	mkdir -p "$dir/classes" &&
		javac -nowarn -d "$dir/classes" -cp "$CACHE/kafka-4.4.0/*:$CACHE/kafka-apps-4.4.0/*" "$src"/java/*.java >&2 &&
		(cd "$src/go" && go build -o "$dir/go-member" .) >&2 && echo "$sum" >"$dir/done"
}

# Kafka's own jars, the tools and a broker: $CACHE/kafka-4.4.0
install_kafka() {
	install_packages $PACKAGES_CLIENTS || return 1
	"$(dirname "${BASH_SOURCE[0]}")/kafka-jars" >/dev/null
}
