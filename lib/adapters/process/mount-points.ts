import { readFileSync } from 'node:fs';
import { isInside } from '../../paths/confine.ts';

export interface MountPoint {
  path: string;
  /** The options that a nested namespace may not take away. */
  kept: string[];
}

const KEPT = ['ro', 'noexec'];

/** Returns the current mounts of this host; later ones cover earlier ones. */
export function readMountPoints(): MountPoint[] {
  const lines = readFileSync('/proc/self/mountinfo', 'latin1').split('\n');
  return lines.filter((line) => line !== '').map(readLine);
}

/** `36 35 98:0 /root /point rw,noatime shared:1 - ext3 /dev/root rw`, with blanks as `\040`. */
function readLine(line: string): MountPoint {
  const [, , , , point = '', options = ''] = line.split(' ');
  const path = point.replace(/\\(\d{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
  return {
    path: Buffer.from(path, 'latin1').toString(),
    kept: options.split(',').filter((option) => KEPT.includes(option)),
  };
}

/** A folder as the mount that contains it, and then what is mounted below it. */
export function mountPointsIn(folder: string, all: MountPoint[]): MountPoint[] {
  const around = all.filter(({ path }) => isInside(path, folder));
  const below = all.filter(({ path }) => path !== folder && isInside(folder, path));
  const deepest = around.reduce((a, b) => (b.path.length >= a.path.length ? b : a), { path: '', kept: [] });
  return [{ path: folder, kept: deepest.kept }, ...below];
}
