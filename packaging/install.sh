#!/bin/sh
# Installs the packages of this folder, without the network.
set -eu
cd "$(dirname "$0")"
sha256sum --check --quiet --strict SHA256SUMS
debian=debian-$(. /etc/os-release && echo "${VERSION_ID:-none}")
[ -d "$debian" ] || { echo "tablectl: expected Debian 12 or 13; on another system see INSTALL" >&2; exit 1; }
own=$(mktemp -d) && trap 'rm -rf "$own"' EXIT
mkdir -p "$own/lists/partial" "$own/parts"
cp -r "$debian" "$own/packages" # a path without blanks, as an apt address needs it
echo "deb [trusted=yes] file:$own/packages ./" >"$own/sources.list"
apt="apt-get -q -y -o Dir::Etc::SourceList=$own/sources.list -o Dir::Etc::SourceParts=$own/parts
  -o Dir::State::Lists=$own/lists -o APT::Sandbox::User=root"
$apt update
$apt install --no-install-recommends ./tablectl_*.deb
