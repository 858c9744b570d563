import { readFile } from 'node:fs/promises';
import { isInside } from '../../paths/confine.ts';

/**
 * File systems that other hosts, or programs behind a FUSE mount, can change without a notification by this
 * kernel. `fuseblk` is a local disk.
 */
const NETWORK =
  /^(nfs4?|cifs|smb3?|smbfs|9p|afs|ceph|lustre|gpfs|beegfs|glusterfs|virtiofs|vboxsf|prl_fs|vmhgfs|fuse|fuse\..+)$/;

interface Mount {
  place: string;
  type: string;
}

/** Returns whether a folder is on a network file system, or has one mounted below it. */
export function hasNetworkMount(mounts: Mount[], folder: string): boolean {
  const around = mounts.filter(({ place }) => isInside(place, folder));
  const own = around.reduce((best, each) => (each.place.length >= best.place.length ? each : best), NO_MOUNT);
  const below = mounts.filter(({ place }) => place !== folder && isInside(folder, place));
  return [own, ...below].some(({ type }) => NETWORK.test(type));
}

const FRESH_MS = 1_000;
const NO_MOUNT = { place: '', type: '' };

/**
 * Reads a line such as `36 35 98:0 /mnt1 /mnt/parent rw,noatime master:1 - ext3 /dev/root rw`, with spaces as `\040`.
 */
function readMount(line: string): Mount {
  const fields = line.split(' ');
  const place = (fields[4] ?? '').replace(/\\(\d{3})/g, (_, octal) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return { place, type: fields[fields.indexOf('-') + 1] ?? '' };
}

export function readMounts(mountInfo: string): Mount[] {
  return mountInfo.split('\n').map(readMount);
}

/** Returns a reader of this process's mounts, shared by many workspaces. */
export function mountReader(): () => Promise<Mount[]> {
  let [readAt, mounts] = [Number.NEGATIVE_INFINITY, Promise.resolve<Mount[]>([])];
  return () => {
    if (performance.now() - readAt > FRESH_MS) {
      readAt = performance.now();
      mounts = readFile('/proc/self/mountinfo', 'utf8').then(readMounts, () => []);
    }
    return mounts;
  };
}
