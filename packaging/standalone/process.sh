# What start.sh, stop.sh and reopen-log.sh have in common: who is running. They set "home", the folder of the package.
# POSIX shell; needs nothing but the usual utilities.
# shellcheck shell=sh disable=SC2034,SC2086,SC2154

executable=$home/authz-jsonmasking
log_file=$home/authz-jsonmasking.log
pid_file=$home/authz-jsonmasking.pid

# What tells a process from every other that has or had its number: when it was started, in this run of the machine.
# Prints nothing where there is no such process.
mark_of() {
    if [ -r /proc/self/stat ]; then
        stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
        # The name of the program, in parentheses, may hold anything; the state comes behind it.
        set -- ${stat##*) }
        # A zombie has ended.
        [ "$1" = Z ] || printf '%s %s\n' "${20}" "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
    else
        LC_ALL=C ps -o lstart= -o comm= -p "$1" 2>/dev/null || true
    fi
}

# Remembers a process as the one that runs.
remember() {
    mark=$(mark_of "$1")
    [ -n "$mark" ] && printf '%s\n%s\n' "$1" "$mark" >"$pid_file"
}

# Ends the script if this user cannot read which process runs.
require_pid_file() {
    [ ! -e "$pid_file" ] || { [ -f "$pid_file" ] && [ -r "$pid_file" ]; } || fail "$pid_file cannot be read by this user."
}

# Prints the number of the process that runs; nothing where the one that is remembered has ended, even if another
# process has its number now.
running_pid() {
    [ -r "$pid_file" ] || return 0
    pid='' mark=''
    { IFS= read -r pid && IFS= read -r mark; } <"$pid_file" || return 0
    case $pid in '' | *[!0-9]*) return 0 ;; esac
    [ -n "$mark" ] && [ "$mark" = "$(mark_of "$pid")" ] && echo "$pid"
    return 0
}

# Ends the script if a process runs that start.sh has started.
require_none_running() {
    pid=$(running_pid)
    [ -z "$pid" ] || fail "authz-jsonmasking is running already, as process $pid."
}

# Waits a moment: a part of a second where sleep can.
pause() {
    sleep 0.1 2>/dev/null || sleep 1
}

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}
