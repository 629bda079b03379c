# The program's versions on a PC, for whoever installs it: `make service` and the Debian package read this file, behind
# progress.sh.
# Each version goes into a folder of its own. A link says which is started from now on; what a table runs from stays as
# long as it does. The later of the two installations wins, and says so.

PROGRAM=/opt/tablectl
CURRENT=$PROGRAM/current

# A table in one of these states is at work, or about to be; one that has failed is neither.
RUNNING=active,reloading,activating,deactivating

# What `make service` lays beside the program: where the package's own files are as well, these stand before them.
LAID='/etc/systemd/system/tablectl@.service /etc/systemd/system/tablectl-failed@.service
  /etc/systemd/system/tablectl-ship@.service /etc/systemd/system/tablectl-floor@.service
  /etc/systemd/system/systemd-time-wait-sync.service.d/tablectl.conf
  /etc/udev/rules.d/70-tablectl.rules /etc/sysusers.d/tablectl.conf /etc/tmpfiles.d/tablectl.conf'

# $new: a folder for version $1, with a virtual environment of the interpreter $2; $3 is handed on to venv.
new_environment() {
  new=$PROGRAM/$1; number=1
  while [ -e "$new" ]; do number=$((number + 1)); new=$PROGRAM/$1-$number; done
  meanwhile "making an environment for the program in $new" "$2" -I -m venv $3 "$new"
}

# From now on $1 is started.
start_from() {
  ln -sfn "$1" $CURRENT.new && mv -T $CURRENT.new $CURRENT
}

# The user, the folders, and whoever reads the new files is told of them.
take_effect() {
  systemd-sysusers tablectl.conf
  systemd-tmpfiles --create tablectl.conf
  meanwhile "telling systemd and udev of the new files" reload
  meanwhile "removing versions from which nothing runs" prune
  tell_old
}

# Where systemd and udev run, they are told of new files.
reload() {
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  [ ! -S /run/udev/control ] || { udevadm control --reload && udevadm trigger -s usb -s tty -s input; }
}

# The units of the tables and floors that run.
running() {
  [ ! -d /run/systemd/system ] ||
    systemctl list-units --plain --no-legend --state=$RUNNING 'tablectl@*' 'tablectl-floor@*' | cut -d ' ' -f 1
}

# What runs is not taken away: says what does, and fails.
none_runs() {
  tables=$(running | tr '\n' ' ')
  [ ! "$tables" ] || { echo "tablectl: still running; first: systemctl disable --now $tables" >&2; return 1; }
  [ ! -d /run/systemd/system ] ||
    meanwhile "stopping what ships records and calls for tables" systemctl stop 'tablectl-failed@*' 'tablectl-ship@*'
}

# The folder that a unit's program runs from.
runs_from() {
  runs=$(tr '\0' '\n' <"/proc/$(systemctl show -p MainPID --value "$1")/cmdline" 2>/dev/null | head -n 1)
  echo "${runs%/bin/*}"
}

# What no program runs from any more goes; also what was put straight into the folder once.
prune() {
  for dir in $PROGRAM/*/ $PROGRAM/; do
    dir=${dir%/}
    [ -e "$dir/pyvenv.cfg" ] && [ "$dir" != $CURRENT ] && [ "$dir" != "$(readlink $CURRENT)" ] || continue
    ! grep -qas "^$dir/bin/" /proc/[0-9]*/cmdline || continue
    [ "$dir" = $PROGRAM ] || { rm -rf "$dir"; continue; }
    rm -rf $PROGRAM/bin $PROGRAM/include $PROGRAM/lib $PROGRAM/lib64 $PROGRAM/share $PROGRAM/pyvenv.cfg
  done
}

# Which tables and floors run from another folder than the one that is started from now on.
tell_old() {
  running | while read -r unit; do
    from=$(runs_from "$unit")
    case $unit in tablectl-floor@*) when='at any time' ;; *) when='between two rounds' ;; esac
    case $from in ''|"$(readlink $CURRENT)") ;; *)
      echo "tablectl: $unit goes on with $from; $when: systemctl restart $unit" ;; esac
  done
}

# What stays when the program goes; what says to start it goes with it.
left_behind() {
  rm -f /etc/systemd/system/*.wants/tablectl@*.service /etc/systemd/system/*.wants/tablectl-ship@*.service \
    /etc/systemd/system/*.wants/tablectl-floor@*.service
  [ ! -d /run/systemd/system ] || systemctl reset-failed 'tablectl*@*'
  ! getent passwd tablectl >/dev/null || echo "tablectl: /etc/tablectl, /var/lib/tablectl*, and their user and group" \
    "tablectl stay; to remove them too: rm -r /etc/tablectl /var/lib/tablectl*; userdel tablectl"
}

# Whether the Debian package is installed.
is_packaged() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' tablectl 2>/dev/null)" = installed ]
}

# Whether `make service` is in front of the package.
is_laid() {
  [ -e /etc/systemd/system/tablectl@.service ]
}
