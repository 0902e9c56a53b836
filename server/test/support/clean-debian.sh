# Boots systemd in the Debian of the folder $1, in namespaces of its own: without network, seeing nothing of this machine.
set -e
ip link set lo up
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
# Not chroot: a process in one may make no namespace of users, which services ask for.
mkdir -p mnt/outside
pivot_root . mnt/outside
cd /
umount -l /mnt/outside
exec /usr/bin/env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console --show-status=no
