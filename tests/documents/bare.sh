#!/bin/bash
# Makes a bare Debian in the folder ROOT, as root: the packages of a fresh installation with an SSH server. Packages
# that the pages install are in its folder /var/lib/debian, to which its sources.list points: no network is needed.
#   tests/documents/bare.sh ROOT bookworm|trixie [mmdebstrap's options]
set -euo pipefail
root=$1 suite=$2
shift 2
debs=$(mktemp -d "$root.XXXX")
trap 'rm -rf "$debs"' EXIT
mkdir -p "$debs/partial"
named="python3 libusb-1.0-0 systemd-timesyncd rsync sqlite3 openssl"
mmdebstrap --quiet --variant=minbase --components=main \
  --include=systemd,systemd-sysv,udev,dbus,sudo,iproute2,procps,openssh-server \
  --customize-hook="APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -q -y --download-only \
    -o Dir::Cache::archives=$debs install $named" \
  "$@" "$suite" "$root"
# In a container mmdebstrap may leave ROOT's /proc mounted: a copy or removal of ROOT would go through it.
! mountpoint -q "$root/proc" || umount --lazy "$root/proc"
mkdir "$root/var/lib/debian"
mv "$debs"/*.deb "$root/var/lib/debian"
(cd "$root/var/lib/debian" && dpkg-scanpackages -m . >Packages)
echo 'deb [trusted=yes] file:/var/lib/debian ./' >"$root/etc/apt/sources.list"
rm -rf "$root"/var/lib/apt/lists/* "$root"/etc/apt/sources.list.d/*
