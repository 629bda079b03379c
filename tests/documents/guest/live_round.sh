#!/bin/bash
# Keeps a round open at a table of this PC while a page needs one: live-round begin TABLE, live-round end TABLE.
# The emulated shoe listens at 127.0.0.1:4001; the cards are a natural; the stall limit of the table is an hour.
set -euo pipefail
what=$1 table=$2
again() { # repeats the command until it succeeds, for about 300 s
  for _ in $(seq 300); do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 1
  done
  "$@"
}
is() { tablectl status --table "$table" | grep -q "^table $table: $1"; }
draw() {
  for _ in $(seq "$1"); do
    echo >/run/typed
    sleep 3
  done
}
case $what in
  begin)
    sed -i 's/^# stall = [0-9]*/stall = 3600/' "/etc/tablectl/$table.toml"
    systemctl restart "tablectl@$table"
    mkfifo /run/typed
    echo 9C 2D KH 3S 4D 5D >/run/cards
    systemd-run --quiet --collect --unit=shoe sh -c \
      'exec tablectl emulate angel_eye --listen 127.0.0.1:4001 --cards /run/cards <>/run/typed'
    again tablectl open --table "$table"
    tablectl close --table "$table"
    draw 2
    again is dealing
    ;;
  end)
    draw 2
    again is complete
    tablectl press finish --table "$table"
    again is settled
    systemctl stop shoe
    ;;
esac
