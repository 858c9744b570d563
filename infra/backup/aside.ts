import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from '../../lib/isolation/is-process-alive.ts';

/**
 * Creates a temporary folder next to the target, with the process id of its creator in its name. It is renamed when complete,
 * so a kill leaves nothing under the target name. Folders of killed creators are removed, except those of other users.
 */
export async function makeAside(place: string): Promise<string> {
  const parent = dirname(place);
  const start = `.${basename(place)}.unfinished-`;
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent))
    if (name.startsWith(start) && !isProcessAlive(Number(name.slice(start.length).split('-')[0])))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  const aside = join(parent, `${start}${process.pid}-${randomUUID()}`);
  await mkdir(aside, { mode: 0o700 });
  return aside;
}
