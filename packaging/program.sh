# Functions to install and remove versions of the program; `make service` and the Debian package source this file after
# progress.sh.
# Each version has a folder of its own. The link `current` says which version is started from now on; the version that a
# table runs from stays while it runs. The later of the two installations replaces the other, and prints this.

PROGRAM=/opt/tablectl
CURRENT=$PROGRAM/current

# States of a unit that is running, starting or stopping; a failed unit is none of these.
RUNNING=active,reloading,activating,deactivating

# Files that `make service` installs beside the program. systemd and udev take these before the package's own files.
LAID='/etc/systemd/system/tablectl@.service /etc/systemd/system/tablectl-failed@.service
  /etc/systemd/system/tablectl-ship@.service /etc/systemd/system/tablectl-floor@.service
  /etc/systemd/system/systemd-time-wait-sync.service.d/tablectl.conf
  /etc/udev/rules.d/70-tablectl.rules /etc/sysusers.d/tablectl.conf /etc/tmpfiles.d/tablectl.conf'

# Makes a folder for version $1 with a virtual environment of the interpreter $2, and sets $new to it. $3: option of venv.
new_environment() {
  new=$PROGRAM/$1; number=1
  while [ -e "$new" ]; do number=$((number + 1)); new=$PROGRAM/$1-$number; done
  meanwhile "making an environment for the program in $new" "$2" -I -m venv $3 "$new"
}

# Makes $1 the version that is started from now on.
start_from() {
  ln -sfn "$1" $CURRENT.new && mv -T $CURRENT.new $CURRENT
}

# Makes the user and the folders, reloads systemd and udev, removes unused versions, names units that run an older one.
take_effect() {
  systemd-sysusers tablectl.conf
  systemd-tmpfiles --create tablectl.conf
  meanwhile "telling systemd and udev of the new files" reload
  meanwhile "removing versions from which nothing runs" prune
  tell_old
}

# Has systemd and udev read the new files, if they run.
reload() {
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  [ ! -S /run/udev/control ] || { udevadm control --reload && udevadm trigger -s usb -s tty -s input; }
}

# Prints the units of the running tables and floors.
running() {
  [ ! -d /run/systemd/system ] ||
    systemctl list-units --plain --no-legend --state=$RUNNING 'tablectl@*' 'tablectl-floor@*' | cut -d ' ' -f 1
}

# Fails and names the units if tables or floors run; else stops their services for shipping and failures.
none_runs() {
  tables=$(running | tr '\n' ' ')
  [ ! "$tables" ] || { echo "tablectl: still running; first: systemctl disable --now $tables" >&2; return 1; }
  [ ! -d /run/systemd/system ] ||
    meanwhile "stopping what ships records and calls for tables" systemctl stop 'tablectl-failed@*' 'tablectl-ship@*'
}

# Prints the folder that a unit's program runs from.
runs_from() {
  runs=$(tr '\0' '\n' <"/proc/$(systemctl show -p MainPID --value "$1")/cmdline" 2>/dev/null | head -n 1)
  echo "${runs%/bin/*}"
}

# Removes versions from which no program runs; also an old version that was installed directly in $PROGRAM.
prune() {
  for dir in $PROGRAM/*/ $PROGRAM/; do
    dir=${dir%/}
    [ -e "$dir/pyvenv.cfg" ] && [ "$dir" != $CURRENT ] && [ "$dir" != "$(readlink $CURRENT)" ] || continue
    ! grep -qas "^$dir/bin/" /proc/[0-9]*/cmdline || continue
    [ "$dir" = $PROGRAM ] || { rm -rf "$dir"; continue; }
    rm -rf $PROGRAM/bin $PROGRAM/include $PROGRAM/lib $PROGRAM/lib64 $PROGRAM/share $PROGRAM/pyvenv.cfg
  done
}

# Names the tables and floors that run from another folder than `current`.
tell_old() {
  running | while read -r unit; do
    from=$(runs_from "$unit")
    case $unit in tablectl-floor@*) when='at any time' ;; *) when='between two rounds' ;; esac
    case $from in ''|"$(readlink $CURRENT)") ;; *)
      echo "tablectl: $unit goes on with $from; $when: systemctl restart $unit" ;; esac
  done
}

# Removes the links that start units, and names what stays after the program is removed.
left_behind() {
  rm -f /etc/systemd/system/*.wants/tablectl@*.service /etc/systemd/system/*.wants/tablectl-ship@*.service \
    /etc/systemd/system/*.wants/tablectl-floor@*.service
  [ ! -d /run/systemd/system ] || systemctl reset-failed 'tablectl*@*'
  ! getent passwd tablectl >/dev/null || echo "tablectl: /etc/tablectl, /var/lib/tablectl*, and their user and group" \
    "tablectl stay; to remove them too: rm -r /etc/tablectl /var/lib/tablectl*; userdel tablectl"
}

# Succeeds if the Debian package is installed.
is_packaged() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' tablectl 2>/dev/null)" = installed ]
}

# Succeeds if `make service` has installed its unit files, which hide those of the package.
is_laid() {
  [ -e /etc/systemd/system/tablectl@.service ]
}
