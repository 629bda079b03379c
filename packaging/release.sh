#!/usr/bin/env bash
# Makes a release: $1 is a Python with the packages of requirements/dev.txt, $2 the version. Sets the version, turns the
# changelog's [Unreleased] into its section, and builds sdist, wheel, Debian package and bill of materials twice, each
# time in a clone of its own. Only if both builds are equal to the byte, commit, tag and files are copied here.
set -euo pipefail
umask 022
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
version=$2
cd "$(dirname "$0")/.."
refuse() { echo "tablectl: $1" >&2; exit 1; }

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "expected a version such as 1.2.0, got '$version': make release RELEASE=1.2.0"
[ -z "$(git status --porcelain)" ] || refuse "there are changes that are not committed; commit or remove them first"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || refuse "there is a release $version already"
awk '/^## \[Unreleased\]/ { open = 1; next } /^## / { open = 0 } open && /^- / { found = 1 } END { exit !found }' CHANGELOG.md ||
  refuse "CHANGELOG.md says nothing under [Unreleased]"

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# ── the commit and its tag, in a clone ──
git clone -q . "$work/one"
(
  cd "$work/one"
  for key in user.name user.email; do git config "$key" "$(git -C "$OLDPWD" config "$key")"; done
  sed -i "s/^__version__ = .*/__version__ = \"$version\"/" controller/__init__.py
  sed -i "s/^## \[Unreleased\]/&\n\n## [$version] - $(date -u +%F)/" CHANGELOG.md
  git commit -qam "Version $version"
  git tag -a "v$version" -m "tablectl $version"
)
git clone -q "$work/one" "$work/two"

# ── built twice ──
build() {
  export SOURCE_DATE_EPOCH
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  for target in sdist wheel; do "$python" -m hatchling build -t "$target" -d dist >/dev/null; done
  packaging/deb.sh "$python"
  "$python" -m cyclonedx_py requirements --pyproject pyproject.toml --mc-type application --output-reproducible \
    -o "dist/tablectl-$version.cdx.json" requirements/bus.txt 2>/dev/null
  (cd dist && LC_ALL=C sha256sum -- *"$version"* >"SHA256SUMS-$version")
}
for clone in one two; do (cd "$work/$clone" && build); done
diff "$work/one/dist/SHA256SUMS-$version" "$work/two/dist/SHA256SUMS-$version" ||
  refuse "two builds of the same sources differ (see above); nothing was released"

# ── here ──
git pull -q --ff-only "$work/one" HEAD
git fetch -q "$work/one" "refs/tags/v$version:refs/tags/v$version"
# A file gets its name when it is complete; the checksums are copied last.
mkdir -p dist
for file in "$work/one/dist/"*"$version"* "$work/one/dist/SHA256SUMS-$version"; do
  cp "$file" dist/.part && mv dist/.part "dist/${file##*/}"
done
cat "dist/SHA256SUMS-$version"
echo "tablectl: version $version is built and tagged; git push --follow-tags makes it known"
