#!/bin/sh
# A command of the shop, such as `tea migrate up`, with the settings of /etc/tea-shop/environment and as the service's user.
# A DATABASE_URL of the caller wins.
set -eu
database=${DATABASE_URL:-}
set -a
. /etc/tea-shop/environment
DATABASE_URL=${database:-$DATABASE_URL}
cd /opt/tea-shop
exec setpriv --reuid=tea-shop --regid=tea-shop --clear-groups node dist/cli/main.js "$@"
