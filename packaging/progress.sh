# What a long step says meanwhile, for the scripts that make, install and remove the program.

# Says $1, then runs the rest as a command; every four seconds that it takes, says that it goes on.
meanwhile() {
  step=$1; shift
  echo "tablectl: $step"
  go_on "$step" &
  teller=$!
  code=0; "$@" || code=$?
  kill $teller; wait $teller 2>/dev/null || :
  return $code
}

# Until it is ended, or whatever began it has ended. No pipe stays open for its sleep.
go_on() {
  seconds=0
  while sleep 4 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 4))
    echo "tablectl: $1: $seconds s so far"
  done
}
