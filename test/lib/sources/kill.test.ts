import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isTempName } from '../../../lib/paths/temp-name.ts';
import { sources } from '../../../lib/sources/schema.ts';
import { readSourceRun, startSourceSync } from '../../../lib/sources/sources.ts';
import { bucketPlace, type SourcePlace, webdavPlace, zoteroPlace } from '../../support/source-places.ts';
import { endLease, sourceName, startSourceRig } from '../../support/sources.ts';

/** `npm run test:long` kills 50 times, and uses wsgidav and an emulator of S3 instead of fakes. */
const KILLS = Number(process.env.SOURCE_KILLS ?? 8);
const PROGRAM = resolve(import.meta.dirname, '../../support/processes/source-process.ts');

type Rig = Awaited<ReturnType<typeof startSourceRig>>;

/** Works on the source in another process, which is killed once the place was asked this often. */
async function workUntilKilled(rig: Rig, place: SourcePlace, requests: number | undefined): Promise<void> {
  const from = place.asked();
  const args = [PROGRAM, rig.dataDir, JSON.stringify(place.source)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (requests !== undefined && !isOver() && place.asked() < from + requests) await sleep(1);
  if (requests !== undefined) {
    await sleep(Math.random() * 30);
    child.kill('SIGKILL');
  }
  await ended;
  const source = await sources.get(rig.ports.records, rig.made);
  if (source !== undefined) await endLease(rig.ports, source);
}

async function contents(top: string): Promise<Record<string, string>> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  // The index removes temporary files of dead processes.
  const whole = entries.filter((entry) => entry.isFile() && !isTempName(entry.name));
  const files = whole.map(({ parentPath, name }) => join(parentPath, name));
  const pairs = files.map(async (path) => [path.slice(top.length + 1), await readFile(path, 'latin1')]);
  return Object.fromEntries(await Promise.all(pairs));
}

describe.each<[string, () => Promise<SourcePlace>]>([
  ['Zotero', zoteroPlace],
  ['WebDAV', webdavPlace],
  ['S3', bucketPlace],
])('killed syncs of %s', (_, open) => {
  it(`lose, double, and halve nothing over ${KILLS} kills`, async () => {
    const place = await open();
    const rig = await startSourceRig(place.source);
    const folder = `sources/${sourceName(place.source)}`;
    await place.fill();
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 3 === 2) await place.change(kill);
      await startSourceSync(rig.ports, rig.made, { dryRun: false, trigger: 'manual' });
      await workUntilKilled(rig, place, 1 + Math.floor(Math.random() * 40));
    }
    const { id } = await startSourceSync(rig.ports, rig.made, { dryRun: false, trigger: 'manual' });
    await workUntilKilled(rig, place, undefined);
    expect(await readSourceRun(rig.ports.records, rig.made, id)).toMatchObject({
      status: 'success',
      error: null,
    });
    const last = await rig.sync();
    expect(last).toMatchObject({
      status: 'success',
      counts: { conflicts: 0, failed: 0, added: 0, updated: 0 },
    });
    const all = await contents(join(rig.root, folder));
    const shown = Object.entries(all).filter(([path]) => path.endsWith('.pdf') && !path.startsWith('.trash'));
    expect(shown.map(([, text]) => text).sort()).toEqual(place.pdfs());
    const present = (await rig.files()).filter(({ state }) => state === 'present').map(({ path }) => path);
    const paths = Object.keys(all).filter((path) => !path.startsWith('.trash'));
    expect(present.sort()).toEqual(paths.map((path) => `${folder}/${path}`).sort());
    const [one, other] = [await rig.sync(), await rig.sync()];
    expect(one).toMatchObject({ total: 0, requests: other.requests });
    if (place.source.kind === 'zotero') expect(one.requests).toBe(1);
  }, 600_000);
});
