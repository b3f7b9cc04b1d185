#!/bin/sh
# Creates the cluster and the portal's password at the first start, then runs PostgreSQL. The portal
# reads its address, password included, from a file of mode 0600 in a shared volume.
set -eu
umask 077
cluster=/data/15
if [ ! -s "$cluster/PG_VERSION" ]; then
  # The cluster gets its final name last: an interrupted first start holds no data.
  rm -rf "$cluster.new"
  password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
  initdb -D "$cluster.new" --username=postgres --encoding=UTF8 --locale=C.UTF-8 --data-checksums \
    --auth-local=peer --auth-host=scram-sha-256 > /dev/null
  echo 'host all all all scram-sha-256' >> "$cluster.new/pg_hba.conf"
  # The superuser has no password: only this container's own user may be it, over the socket.
  echo 'local all postgres peer map=owner' | cat - "$cluster.new/pg_hba.conf" > "$cluster.new/pg_hba.first"
  mv "$cluster.new/pg_hba.first" "$cluster.new/pg_hba.conf"
  echo 'owner bi-manager postgres' >> "$cluster.new/pg_ident.conf"
  pg_ctl -D "$cluster.new" -o "-c listen_addresses='' -k /tmp" -w start > /dev/null
  # Through standard input: other processes can read arguments.
  {
    echo "\\set password $password"
    cat /usr/local/share/bi-manager/create-database.sql
  } | psql -h /tmp -U postgres -q -v ON_ERROR_STOP=1
  pg_ctl -D "$cluster.new" -m fast -w stop > /dev/null
  echo "postgres://bi_portal:$password@database:5432/bi_manager" > /secrets/database-url
  sync
  mv "$cluster.new" "$cluster"
fi
exec postgres -D "$cluster" -k /tmp -c listen_addresses='*'
