#!/usr/bin/env bash
# Makes dist/tablectl-VERSION-bundle.tar from the package in dist: it contains the package, its wheels, and for Debian
# 12 and 13 the packages that a minimal system with systemd and udev lacks. DEBIAN is the mirror to fetch them from.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
. packaging/progress.sh
version=$(packaging/version.sh)
ARCH=${ARCH:-$(dpkg --print-architecture)}
DEBIAN=${DEBIAN:-http://deb.debian.org}
name=tablectl-$version
deb=$PWD/dist/tablectl_${version}_$ARCH.deb
[ -e "$deb" ] || { echo "tablectl: $deb is not there: the sources have changed since it was made; make deb" >&2; exit 1; }
bundle=dist/$name-bundle.tar
stage=$(mktemp -d) && trap 'rm -rf "$stage" "$bundle.part"' EXIT
top=$stage/$name
mkdir "$top"

# Runs apt-get as on a PC with the Debian release $1 on which nothing is installed yet.
bare_apt() {
  suite=$1; shift
  place=$stage/$suite
  if [ ! -d "$place" ]; then
    mkdir -p "$place/lists/partial" "$place/parts" "$place/archives/partial"
    : >"$place/status"
    for archive in "debian $suite" "debian $suite-updates" "debian-security $suite-security"; do
      echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $DEBIAN/$archive main"
    done >"$place/sources.list"
    bare_apt "$suite" update || return
  fi
  apt-get -qq -o APT::Architecture="$ARCH" -o APT::Architectures="$ARCH" -o APT::Sandbox::User=root \
    -o Dir::Etc::SourceList="$place/sources.list" -o Dir::Etc::SourceParts="$place/parts" \
    -o Dir::State::Lists="$place/lists" -o Dir::State::status="$place/status" \
    -o Acquire::ForceHash=sha256 -o Dir::Cache::archives="$place/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o APT::Install-Recommends=false "$@"
}

# Prints the files that an installation of the packages $2 on Debian $1 fetches: name, address and checksum of each.
taken() {
  bare_apt "$1" install --print-uris $2 | sed -n "s/^'\(.*\)' \([^ ]*\) [0-9]* \(.*\)$/\2 \1 \3/p" | sort
}

# Writes to the list $2 the files that our package needs and a minimal Debian $1 lacks.
lacking() {
  taken "$1" "?essential ?priority(required) systemd udev" >"$stage/there" &&
    taken "$1" "?essential ?priority(required) $needs" >"$stage/all" && comm -13 "$stage/there" "$stage/all" >"$2"
}

# Fetches each file of the list $1 into the folder $2, and adds its entry to the Packages file there, which apt reads.
fetch() {
  while read -r file address checksum; do
    /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "$address" "$2/$file" "$checksum" || return
    { dpkg-deb -f "$2/$file" && printf 'Filename: ./%s\nSize: %s\n%s\n\n' "$file" "$(stat -c %s "$2/$file")" \
      "$(echo "$checksum" | sed 's/:/: /')"; } >>"$2/Packages" || return
  done <"$1"
}

needs=$(dpkg-deb -f "$deb" Depends | sed -e 's/ *([^)]*)//g' -e 's/,//g')
for debian in '12 bookworm' '13 trixie'; do
  folder=$top/debian-${debian% *}
  mkdir "$folder"
  meanwhile "looking up what Debian ${debian% *} lacks" lacking "${debian#* }" "$stage/lacking"
  meanwhile "fetching $(wc -l <"$stage/lacking") packages of Debian ${debian% *}" fetch "$stage/lacking" "$folder"
done

cp "$deb" packaging/INSTALL packaging/install.sh "$top"
dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$top" --strip-components=4 ./usr/lib/tablectl
(cd "$top" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum >"$stage/SHA256SUMS")
mv "$stage/SHA256SUMS" "$top"
meanwhile "packing $bundle" tar -c -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@$(stat -c %Y "$deb")" -f "$bundle.part" "$name"
mv "$bundle.part" "$bundle"
find dist -maxdepth 1 -name 'tablectl-*+git*-bundle.tar' ! -name "$name-bundle.tar" -delete # bundles of earlier builds
echo "tablectl: $bundle is made ($(du -h "$bundle" | cut -f 1))"
