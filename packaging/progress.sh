# Progress lines of long steps, for the scripts that make, install and remove the program.

# Prints $1, runs the rest as a command, and prints every four seconds how long it has run. Returns its exit code.
meanwhile() {
  step=$1; shift
  echo "tablectl: $step"
  go_on "$step" &
  teller=$!
  code=0; "$@" || code=$?
  kill $teller; wait $teller 2>/dev/null || :
  return $code
}

# Prints progress until it is killed or its script has ended. Its sleep holds no pipe open.
go_on() {
  seconds=0
  while sleep 4 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 4))
    echo "tablectl: $1: $seconds s so far"
  done
}
