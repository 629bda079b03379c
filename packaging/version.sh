#!/usr/bin/env bash
# Prints the version of the package that these sources make. The commit of a release, and sources outside of git such as
# a release's sdist, have the release's version. Any other build is newer than its release, older than the next one,
# and newer than builds of earlier commits: 0.1.0+git20261124.034237.bef72c3f, in UTC. Uncommitted changes add .dirty
# and the time of the last change. The clock has no part in it: the same sources always have the same version.
set -euo pipefail
export LC_ALL=C TZ=UTC
cd "$(dirname "$0")/.."
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' controller/__init__.py)
[ -e .git ] || { echo "$version"; exit; }

changes=$(git status --porcelain) ||
  { echo "tablectl: git cannot read this clone (see above), and the package's version comes from its commit" >&2; exit 1; }
commit=$(git rev-parse HEAD)
if [ ! "$changes" ] && [ "$commit" = "$(git rev-parse -q --verify "refs/tags/v$version^{commit}")" ]; then
  echo "$version"
  exit
fi

# Prints the seconds since 1970 of the newest file; for deleted files, of their folders.
last_change() {
  { git ls-files -z --cached --others --exclude-standard; git ls-files -z --deleted | xargs -0r dirname -z; } |
    { xargs -0 stat -c %Y 2>/dev/null || :; } | sort -n | tail -n 1
}

version=$version+git$(git log -1 --date=format-local:%Y%m%d.%H%M%S --format=%cd).${commit:0:8}
[ ! "$changes" ] || version=$version.dirty$(date -d "@$(last_change)" +%Y%m%d.%H%M%S)
echo "$version"
