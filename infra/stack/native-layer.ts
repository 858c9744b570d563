import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';

const RIPGREP = 'node_modules/@vscode/ripgrep-linux-x64';
/** A zip's bytes must change only with its content, because their hash is its key in the bucket. */
const OPTIONS = { mtime: new Date('2000-01-01T00:00:00Z'), mode: 0o100755, forceDosTimestamp: true };

/**
 * Returns the zip of the layer: /opt/native/lancedb.node and /opt/native/rg for Lambda's architecture. Packing takes
 * ten seconds, so the zip is cached in .cache/ until one of the two packages changes.
 */
export async function makeNativeLayer(root: string): Promise<string> {
  const [lancedb] = globSync('node_modules/@lancedb/lancedb-linux-x64-gnu', { cwd: root });
  if (lancedb === undefined) throw new Error('LanceDB for linux-x64 is not installed. Run npm ci on Linux.');
  const versions = [lancedb, RIPGREP].map((folder) => readFileSync(join(root, folder, 'package.json')));
  const stripping = canStrip();
  const key = createHash('sha256')
    .update(Buffer.concat(versions))
    .update(`stripped ${stripping}, 1`)
    .digest('hex');
  const zip = join(root, `.cache/native-layer-${key.slice(0, 16)}.zip`);
  if (!existsSync(zip)) await pack(root, lancedb, zip, stripping);
  return zip;
}

async function pack(root: string, lancedb: string, zip: string, stripping: boolean): Promise<void> {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const [binary = ''] = globSync('*.node', { cwd: join(root, lancedb) });
  const library = `${zip}.${process.pid}.node`;
  try {
    copyFileSync(join(root, lancedb, binary), library);
    if (stripping) spawnSync('strip', ['--strip-unneeded', library]);
    const archive = new ZipFile();
    archive.addFile(library, 'native/lancedb.node', OPTIONS);
    archive.addFile(join(root, RIPGREP, 'bin/rg'), 'native/rg', OPTIONS);
    archive.end();
    await writeFileAtomically(join(cache, '.unfinished'), zip, archive.outputStream as Readable);
  } finally {
    rmSync(library, { force: true });
  }
}

/**
 * Returns whether symbols can be stripped. LanceDB then has 168 MB instead of 202, and loads faster from a cold disk.
 */
function canStrip(): boolean {
  const found = spawnSync('strip', ['--version']).error === undefined;
  if (!found)
    console.warn(
      'LanceDB is packaged with its symbols, which adds 34 MB. Install `strip` (binutils) to avoid this.',
    );
  return found;
}
