import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isTempName } from '../../../lib/paths/temp-name.ts';
import { sources } from '../../../lib/sources/schema.ts';
import { readSourceRun, startSourceSync } from '../../../lib/sources/sources.ts';
import { fillLibrary, startFakeZotero, zoteroKey } from '../../support/fakes/fake-zotero.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { endLease, startSourceRig } from '../../support/sources.ts';

/** `npm run test:long` kills 50 times. */
const KILLS = Number(process.env.SOURCE_KILLS ?? 8);
const ITEMS = 60;
const PROGRAM = resolve(import.meta.dirname, '../../support/processes/source-process.ts');

const fake = await startFakeZotero();
const rig = await startSourceRig(fake);

/** Works on the source in another process, which is killed once the library was asked this often. */
async function workUntilKilled(requests: number | undefined): Promise<void> {
  const from = fake.asked.length;
  const child = spawn(process.execPath, [PROGRAM, rig.dataDir, fake.url, fake.apiKey], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (requests !== undefined && !isOver() && fake.asked.length < from + requests) await sleep(1);
  if (requests !== undefined) {
    await sleep(Math.random() * 30);
    child.kill('SIGKILL');
  }
  await ended;
  const source = await sources.get(rig.ports.records, rig.made);
  if (source !== undefined) await endLease(rig.ports, source);
}

async function contents(): Promise<Record<string, string>> {
  const top = join(rig.root, 'sources/Zotero');
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  // The index removes temporary files of dead processes.
  const whole = entries.filter((entry) => entry.isFile() && !isTempName(entry.name));
  const files = whole.map(({ parentPath, name }) => join(parentPath, name));
  const pairs = files.map(async (path) => [path.slice(top.length + 1), await readFile(path, 'latin1')]);
  return Object.fromEntries(await Promise.all(pairs));
}

/** Changes a part of the library: contents, folders, removed and new items. */
function changeLibrary(round: number): void {
  for (let item = round % 7; item < ITEMS; item += 7)
    fake.putFile(zoteroKey('F', item), {}, makePdf([`Owl ${item} of round ${round}.`]));
  fake.putCollection(zoteroKey('C', round % 5), `Birds of round ${round}`);
  for (let item = round % 11; item < ITEMS; item += 11)
    fake.putItem(zoteroKey('P', item), {
      deleted: fake.items.get(zoteroKey('P', item))?.data.deleted === 1 ? 0 : 1,
    });
}

/** Returns the contents of the PDFs that the library has now. */
function expectedPdfs(): string[] {
  const shown = [...fake.items].filter(([key, { data }]) => {
    return key.startsWith('F') && fake.items.get(data.parentItem)?.data.deleted !== 1;
  });
  return shown.map(([key]) => fake.files.get(key)?.toString('latin1') ?? '').sort();
}

describe('killed syncs', () => {
  it(`lose, double, and halve nothing over ${KILLS} kills`, async () => {
    fillLibrary(fake, ITEMS);
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill % 3 === 2) changeLibrary(kill);
      await startSourceSync(rig.ports, rig.made, { dryRun: false, trigger: 'manual' });
      await workUntilKilled(1 + Math.floor(Math.random() * 40));
    }
    const { id } = await startSourceSync(rig.ports, rig.made, { dryRun: false, trigger: 'manual' });
    await workUntilKilled(undefined);
    expect(await readSourceRun(rig.ports.records, rig.made, id)).toMatchObject({ status: 'success' });
    const last = await rig.sync();
    expect(last).toMatchObject({
      status: 'success',
      counts: { conflicts: 0, failed: 0, added: 0, updated: 0 },
    });
    const all = await contents();
    const shown = Object.entries(all).filter(([path]) => path.endsWith('.pdf') && !path.startsWith('.trash'));
    expect(shown.map(([, text]) => text).sort()).toEqual(expectedPdfs());
    const present = (await rig.files()).filter(({ state }) => state === 'present').map(({ path }) => path);
    const paths = Object.keys(all).filter((path) => !path.startsWith('.trash'));
    expect(present.sort()).toEqual(paths.map((path) => `sources/Zotero/${path}`).sort());
    const before = fake.asked.length;
    await rig.sync();
    expect(fake.asked.length - before).toBe(1);
  }, 600_000);
});
