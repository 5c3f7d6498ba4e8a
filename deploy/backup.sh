#!/bin/bash
# An encrypted dump of the shop's database in /var/backups/tea-shop; those older than 30 days are deleted.
set -euo pipefail
umask 077
. /etc/tea-shop/environment
folder=/var/backups/tea-shop
mkdir -p "$folder"
dump=$folder/$(date -u +%Y-%m-%dT%H%M%SZ).dump.gpg
trap 'rm -f "$dump.partial"' EXIT
# login_failures counts the last 15 minutes.
pg_dump --format=custom --no-owner --exclude-table-data=login_failures "$DATABASE_URL" |
  gpg --batch --symmetric --passphrase-file /etc/tea-shop/backup-passphrase --output "$dump.partial"
mv "$dump.partial" "$dump"
find "$folder" -name '*.dump.gpg' -mtime +30 -delete
