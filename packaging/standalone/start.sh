#!/bin/sh
# Starts the authorizer in the background, and returns when it is live: ./start.sh [-c FILE]
set -u
unset CDPATH
home=$(cd -P -- "$(dirname -- "$0")" && pwd) || exit 1
. "$home/process.sh"

usage='usage: start.sh [-c FILE]     (FILE is the configuration; default: config.yaml beside start.sh)'
config=$home/config.yaml
# How many seconds it may take until it is live.
limit=60

while getopts c: option; do
    case $option in
    c) config=$OPTARG ;;
    *) fail "$usage" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || fail "$usage"
case $config in /*) ;; *) config=$(pwd)/$config ;; esac

[ -x "$executable" ] || fail "$executable is missing. Unpack the whole archive, and start it from there."

require_pid_file
require_none_running

if [ ! -e "$config" ]; then
    [ "$config" = "$home/config.yaml" ] || fail "There is no $config."
    fail "There is no $config. Copy $home/sample-config.yaml to it, and change what has to be."
fi
if ! "$executable" --check -c "$config" </dev/null >/dev/null; then
    "$executable" --version >/dev/null 2>&1 || fail "$executable does not run on this machine; see README.md for what it needs."
    exit 1
fi

umask 027
ready_file=$pid_file.ready.$$
child=

# Takes back everything, but the log.
undo() {
    rm -f "$ready_file"
    [ -n "$child" ] || return 0
    { kill -KILL "$child" && wait "$child"; } 2>/dev/null
    [ "$(sed -n 1p "$pid_file" 2>/dev/null)" != "$child" ] || rm -f "$pid_file"
}

give_up() {
    undo
    say "$1 What it logged at last, in $log_file:" >&2
    tail -c "+$((logged + 1))" "$log_file" | tail -n 20 | sed 's/^/  /' >&2
    exit 1
}

trap 'undo; exit 1' HUP INT TERM

# Opening a named pipe waits for its reader.
{ [ ! -e "$log_file" ] || [ -f "$log_file" ]; } && (: >>"$log_file") 2>/dev/null || fail "The log file $log_file cannot be written."
logged=$(wc -c <"$log_file")
cd -- "$home" || exit 1
# Another start.sh may have come first while the configuration was checked.
require_none_running
rm -f "$pid_file"
"$executable" -c "$config" --log-file "$log_file" --ready-file "$ready_file" </dev/null >>"$log_file" 2>&1 &
child=$!

# Another start.sh may be at the same point; the file is then the other's.
(set -C && remember "$child") 2>/dev/null || give_up 'authz-jsonmasking did not start.'

deadline=$(($(date +%s) + limit))
until [ -s "$ready_file" ]; do
    [ "$(running_pid)" = "$child" ] || give_up 'authz-jsonmasking ended while it started.'
    [ "$(date +%s)" -lt "$deadline" ] || give_up "authz-jsonmasking was not live within $limit seconds and was killed."
    pause
done
address=$(cat "$ready_file")
rm -f "$ready_file"

say "authz-jsonmasking is live."
say "  address  $address"
say "  log      $log_file"
say "  process  $child"
case $(tail -c "+$((logged + 1))" "$log_file") in
*'PDP unreachable'*)
    say '  warning  the PDP cannot be reached; requests fail with 502 until it can'
    ;;
esac
