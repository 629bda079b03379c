#!/usr/bin/env bash
# Makes dist/tablectl_VERSION_ARCH.deb. $1 is a Python with the packages of requirements/run.txt; VERSION comes from
# version.sh; ARCH is amd64 or arm64, by default this PC's. The package contains the program and all packages it needs
# as wheels, the bus library included, for each supported Python of Debian. The same sources make the same file, to the
# byte. Builds of earlier sources are deleted from dist/, releases stay. The last line printed says what to install.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
. packaging/progress.sh
python=$1
version=$(packaging/version.sh)
ARCH=${ARCH:-$(dpkg --print-architecture)}
case $ARCH in amd64) machine=x86_64 ;; arm64) machine=aarch64 ;; *) echo "no wheels for $ARCH" >&2; exit 1 ;; esac
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}"

mkdir -p dist
deb=dist/tablectl_${version}_$ARCH.deb
stage=$(mktemp -d) && trap 'rm -rf "$stage" "$deb.part"' EXIT && chmod 755 "$stage"
lib=$stage/usr/lib/tablectl
doc=$stage/usr/share/doc/tablectl
share=$stage/usr/share

# ── the program ──
pip=("$python" -m pip --quiet --disable-pip-version-check --no-input)
meanwhile "making the program's wheel" \
  "${pip[@]}" wheel --no-deps --no-build-isolation --wheel-dir "$lib/wheels" .
# nkeys is published without a wheel: one is made here from its locked sources.
sed '/^nkeys==/,/[^\\]$/d' requirements/bus.txt >"$lib/locked"
sed -n '/^nkeys==/,/[^\\]$/p' requirements/bus.txt >"$stage/no-wheels"
meanwhile "making the wheel of nkeys" \
  "${pip[@]}" wheel --no-deps --no-build-isolation --require-hashes --wheel-dir "$lib/wheels" -r "$stage/no-wheels"
rm "$stage/no-wheels"
platforms="--platform manylinux2014_$machine"
for glibc in $(seq 17 36); do platforms="$platforms --platform manylinux_2_${glibc}_$machine"; done
for minor in 11 12 13; do
  meanwhile "fetching the wheels for Python 3.$minor" "${pip[@]}" download --no-deps --require-hashes --only-binary :all: \
    --python-version 3.$minor $platforms --dest "$lib/wheels" -r "$lib/locked"
done
for made in tablectl nkeys; do
  wheel=$(basename "$lib/wheels/$made"-*.whl)
  number=${wheel#*-}
  echo "$made==${number%%-*} --hash=sha256:$(sha256sum "$lib/wheels/$wheel" | cut -d ' ' -f 1)" >>"$lib/locked"
done
install -D -m 755 packaging/debian/launcher "$stage/usr/bin/tablectl"

# ── the service ──
install -D -m 644 -t "$stage/usr/lib/systemd/system" systemd/*.service
install -D -m 644 -t "$stage/usr/lib/systemd/system/systemd-time-wait-sync.service.d" systemd/systemd-time-wait-sync.service.d/*
install -D -m 644 -t "$stage/usr/lib/udev/rules.d" systemd/*.rules
install -D -m 644 -t "$stage/usr/lib/sysusers.d" systemd/sysusers.d/*
install -D -m 644 -t "$stage/usr/lib/tmpfiles.d" systemd/tmpfiles.d/*

# ── manual page, completions and documents ──
echo "tablectl: writing the manual page and the completions"
install -D -m 644 -t "$doc" packaging/debian/copyright
install -D -m 644 packaging/debian/lintian-overrides "$share/lintian/overrides/tablectl"
install -D -m 644 -t "$doc/examples" config/*.toml config/floor/*.toml config/monitoring/* config/bus/*
mkdir -p "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/man/man1"
command='from controller.cli import main; main(prog_name="tablectl")'
_TABLECTL_COMPLETE=bash_source "$python" -c "$command" >"$share/bash-completion/completions/tablectl"
_TABLECTL_COMPLETE=zsh_source "$python" -c "$command" >"$share/zsh/vendor-completions/_tablectl"
PYTHONPATH=. "$python" packaging/man.py | gzip -9n >"$share/man/man1/tablectl.1.gz"
{
  printf 'tablectl (%s) stable; urgency=medium\n\n  * What is new is in CHANGELOG.md.\n\n' "$version"
  printf ' -- tablectl <tablectl@users.noreply.github.com>  %s\n' "$(LC_ALL=C date -Rud "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$doc/changelog.gz"
gzip -9n <CHANGELOG.md >"$doc/CHANGELOG.md.gz"

# ── the package ──
mkdir "$stage/DEBIAN"
size=$(du -sk --apparent-size "$stage" | cut -f 1)
for file in control postinst prerm postrm triggers; do
  sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$ARCH/" -e "s/@SIZE@/$size/" \
    -e '/^@PROGRAM@$/{r packaging/progress.sh' -e 'r packaging/program.sh' -e 'd}' \
    "packaging/debian/$file" >"$stage/DEBIAN/$file"
done
chmod 755 "$stage/DEBIAN/postinst" "$stage/DEBIAN/prerm" "$stage/DEBIAN/postrm"
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
meanwhile "packing $deb" dpkg-deb --root-owner-group -Zgzip -z1 --build "$stage" "$deb.part"
mv "$deb.part" "$deb"
find dist -maxdepth 1 -name "tablectl_*+git*_$ARCH.deb" ! -name "${deb#dist/}" -delete # packages of earlier builds
echo "tablectl: $deb is made ($(du -h "$deb" | cut -f 1)); next: sudo apt install ./$deb"
