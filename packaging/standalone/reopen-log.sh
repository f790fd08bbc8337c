#!/bin/sh
# Has the authorizer that start.sh started go on in a new log file, once the old one is renamed: for logrotate.
set -u
unset CDPATH
home=$(cd -P -- "$(dirname -- "$0")" && pwd) || exit 1
. "$home/process.sh"

require_pid_file
pid=$(running_pid)
[ -z "$pid" ] || kill -HUP "$pid"
