import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isTempName } from '../../lib/paths/temp-name.ts';

/** A seeded random number generator (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { next, below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
}

export type Random = ReturnType<typeof randomFrom>;

/** Returns every entry of a tree with its mode and its contents, without temporary files. */
export function snapshot(root: string): Record<string, string> {
  const entries: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isTempName(name)) continue;
      entries[path] = describe(join(root, path));
      if (entries[path].startsWith('folder')) walk(path);
    }
  };
  walk('');
  return entries;
}

function describe(place: string): string {
  const stats = lstatSync(place);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(place)}`;
  if (stats.isDirectory()) return `folder ${mode}`;
  return stats.isFile() ? `file ${mode} ${readFileSync(place).toString('base64')}` : 'special';
}

const NAMES = ['a', 'b', 'data', 'notes.md', 'ü', 'x y', "it's", '.git', 'run-1.csv', 'z\nz'];

export function makeTree(root: string, random: Random): void {
  const folders = [''];
  for (let left = 4 + random.below(8); left > 0; left--) {
    const path = join(random.pick(folders), `${random.pick(NAMES)}${random.below(5)}`);
    mkdirSync(join(root, path), { recursive: true });
    folders.push(path);
  }
  for (let left = 5 + random.below(25); left > 0; left--) {
    const place = join(root, random.pick(folders), `${random.pick(NAMES)}-${random.below(9)}`);
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) continue;
    if (random.below(6) === 0) {
      symlinkSync(random.pick(['a', '../x', '/etc/passwd', 'nothing', 'notes.md-1']), place);
      continue;
    }
    writeFileSync(place, Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256))));
    chmodSync(place, random.pick([0o644, 0o755, 0o600, 0o444]));
  }
  for (const folder of folders.slice(1))
    chmodSync(join(root, folder), random.pick([0o755, 0o755, 0o700, 0o2755]));
}

/** Returns existing paths, by type. */
export function pathsOf(root: string) {
  const all = Object.entries(snapshot(root));
  const of = (kind: string) => all.filter(([, what]) => what.startsWith(kind)).map(([path]) => path);
  return { files: of('file'), folders: of('folder'), links: of('link') };
}
