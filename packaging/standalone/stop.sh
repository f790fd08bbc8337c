#!/bin/sh
# Stops the authorizer that start.sh started, and returns when it has ended: ./stop.sh [-t SECONDS]
set -u
unset CDPATH
home=$(cd -P -- "$(dirname -- "$0")" && pwd) || exit 1
. "$home/process.sh"

usage='usage: stop.sh [-t SECONDS]     (how long requests under way may take to finish; default: 30)'
limit=30

while getopts t: option; do
    case $option in
    t) limit=$OPTARG ;;
    *) fail "$usage" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || fail "$usage"
case $limit in '' | *[!0-9]* | ??????????*) fail "$usage" ;; esac
# For the arithmetic of the shell, a leading zero makes it octal.
while [ "$limit" != "${limit#0?}" ]; do limit=${limit#0}; done

require_pid_file
pid=$(running_pid)
if [ -z "$pid" ]; then
    rm -f "$pid_file"
    say 'authz-jsonmasking is not running.'
    exit 0
fi

kill -TERM "$pid" 2>/dev/null || [ -z "$(running_pid)" ] || fail "Process $pid cannot be stopped by this user."
deadline=$(($(date +%s) + limit))
while [ -n "$(running_pid)" ] && [ "$(date +%s)" -lt "$deadline" ]; do pause; done

if [ -z "$(running_pid)" ]; then
    say 'authz-jsonmasking has stopped.'
else
    kill -KILL "$pid"
    while [ -n "$(running_pid)" ]; do pause; done
    say "authz-jsonmasking did not finish within $limit seconds and was killed." >&2
fi
rm -f "$pid_file"
