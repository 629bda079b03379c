#!/bin/bash
# Builds the files of a table's PC in FOLDER: vmlinuz, initrd.img and root.img (the disk of a PC with the program).
# bare.img is the disk of a PC without the program, for the tests of the documents; the folder bare holds its files.
# Runs as root, without a loop mount; downloads only from Debian's mirror and PyPI.
#   tests/vm/image.sh FOLDER [bookworm|trixie]
# The system is a bare Debian with Debian's own kernel, but only the kernel modules that this PC uses. The program is
# installed as an engineer does it, from the package that `make deb` builds of this checkout; a package of a later
# version lies beside it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
out=$1 suite=${2:-bookworm}
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d "$out/build.XXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
kernel=$work/kernel
modules="virtio_pci virtio_blk virtio_net virtio_rng virtio_console ext4 xhci_pci ftdi_sio usbhid hid_generic uinput evdev"
first="virtio_pci virtio_blk ext4 crc32c_generic" # modules needed to mount the disk
python=$(realpath -s "${PYTHON:-$source/.venv/bin/python}")

say() { echo "[${SECONDS}s] $*"; }

"$source/tests/documents/given.sh" "$work/given" "$python" >"$work/packages" 2>&1 &
packages=$!

# ── the system ──
mkdir "$kernel"
"$source/tests/documents/bare.sh" "$root" "$suite" --include=kmod,python3 \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/tablectl/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --customize-hook="cd '$kernel' && APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -q download \
    \"\$(APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: //p' | head -n 1)\"" \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
say "Debian $suite: $(du -sm "$root" | cut -f 1) MiB"

# ── the kernel and its modules ──
dpkg-deb -x "$kernel"/linux-image-*.deb "$kernel"
[ -e "$kernel/lib" ] || ln -s usr/lib "$kernel/lib"
cp "$kernel"/boot/vmlinuz-* "$out/vmlinuz"
version=$(basename "$kernel"/lib/modules/*)
depmod -b "$kernel" "$version"
needed() { # prints the files of these modules and of their dependencies, in load order
  for module in "$@"; do modprobe -d "$kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'; done |
    awk '!seen[$0]++'
}
into=$root/lib/modules/$version
mkdir -p "$into"
cp "$kernel/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$into"
# shellcheck disable=SC2086 # words
needed $modules | while read -r file; do
  install -D -m 644 "$file" "$into/${file#*"/modules/$version/"}"
done
depmod -b "$root" "$version"
say "kernel $version, $(find "$into" -name '*.ko*' | wc -l) modules"

# ── the agent of the tests ──
install -D -m 644 -t "$root/usr/local/lib/vm" "$here/guest/agent.py"
install -m 644 -t "$root/etc/systemd/system" "$here/guest/vm-agent.service"
chroot "$root" systemctl -q enable vm-agent.service
chroot "$root" systemctl -q mask systemd-firstboot.service apt-daily.timer apt-daily-upgrade.timer \
  dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
: >"$root/etc/fstab"
echo table-pc >"$root/etc/hostname"
echo uninitialized >"$root/etc/machine-id"
disk() { # $1: name of the disk's file
  truncate -s 2G "$out/$1"
  mke2fs -q -F -t ext4 -E lazy_itable_init=1 -d "$root" "$out/$1"
  say "$1: $(du -m "$out/$1" | cut -f 1) MiB"
}
wait $packages || { cat "$work/packages" >&2; exit 1; }
cp -r "$work/given/." "$root/srv"
rm -rf "$out/bare"
cp -a "$root" "$out/bare"
disk bare.img

# ── the program ──
unshare --mount sh -ec 'mount -t proc proc "$0/proc"; exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$root" \
  sh -ec 'apt-get -q update; DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install /srv/*.deb' \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
say "program: $(cd "$root" && echo opt/tablectl/[0-9]*)"
disk root.img

# ── the initrd, which mounts the disk ──
start=$work/start
mkdir -p "$start"/{bin,dev,proc,sys,disk,modules}
cp /bin/busybox "$start/bin/"
{
  echo '#!/bin/busybox sh'
  echo 'PATH=/bin; busybox mount -t proc p /proc; busybox mount -t sysfs s /sys; busybox mount -t devtmpfs d /dev'
  # shellcheck disable=SC2086
  needed $first 2>/dev/null | while read -r file; do
    name=$(basename "${file%.xz}")
    case $file in *.xz) xz -dc "$file" >"$start/modules/$name" ;; *) cp "$file" "$start/modules/$name" ;; esac
    echo "busybox insmod /modules/$name"
  done
  echo 'while ! busybox test -b /dev/vda; do busybox usleep 10000; done; busybox mount -t ext4 -o rw /dev/vda /disk'
  echo 'busybox umount /proc /sys; exec busybox switch_root /disk /sbin/init'
} >"$start/init"
chmod +x "$start/init"
(cd "$start" && find . | busybox cpio -o -H newc 2>/dev/null) >"$out/initrd.img"
echo "$version" >"$out/kernel"
say "done"
