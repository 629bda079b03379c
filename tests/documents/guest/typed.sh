#!/bin/bash
# Runs the command in ~/.typed/line as at a terminal: folder and variables stay from one line to the next.
# ~/.typed/hand has the keys typed meanwhile, a line each: the text to wait for, a tab, the keys for printf.
# Prints the output, and writes the longest silence in seconds to ~/.typed/silence. Exits with the command's exit code.
cd ~/.typed || exit
rm -f done times
: >seen
cat >do <<'END'
trap 'touch ~/.typed/done' EXIT
set -a
. ~/.typed/environment
cd "$(<~/.typed/folder)"
set -m
. ~/.typed/line
code=$?
declare -x >~/.typed/environment
pwd >~/.typed/folder
exit $code
END
hand() {
  while IFS=$'\t' read -r text keys; do
    until grep -qF -- "$text" seen; do
      [ ! -e done ] || return
      sleep 0.1
    done
    # shellcheck disable=SC2059 # the keys are printf's format: \003 is Ctrl-C
    printf "$keys"
  done <hand
  until [ -e done ]; do sleep 0.1; done
}
began=$(date +%s.%N)
hand | script --quiet --return --flush --log-out seen --log-timing times --command 'bash do' >/dev/null
code=${PIPESTATUS[1]}
awk -v began="$began" -v ended="$(date +%s.%N)" '
  { sum += $1; if ($1 > most) most = $1 }
  END { rest = ended - began - sum; if (rest > most) most = rest; printf "%.1f\n", most }' times >silence
sed -e '1{/^Script started/d}' -e '/^Script done/d' -e 's/\r*$//' -e 's/.*\r//' seen
exit "$code"
