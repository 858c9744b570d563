import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../lib/adapters/disk/atomic-file.ts';
import { manifestPath } from '../lib/paths/installed-files.ts';

/** Records an installation in a folder. Written last, because an installation counts only from then on. */
export async function writeManifest(folder: string, manifest: object): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFileAtomically(join(folder, '.unfinished'), manifestPath(folder), Buffer.from(text));
}
