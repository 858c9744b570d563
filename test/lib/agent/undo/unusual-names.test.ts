import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { tempName } from '../../../../lib/paths/temp-name.ts';
import { startUndoRig, undoByPath } from '../../../support/undo-rig.ts';

async function startWith(name: Buffer | string) {
  const rig = await startUndoRig();
  const place = Buffer.concat([Buffer.from(`${rig.root}/`), Buffer.from(name)]);
  await writeFile(place, 'old');
  await writeFile(rig.at('notes.md'), 'notes');
  return { ...rig, place };
}

describe('a file whose name is not UTF-8', () => {
  const LATIN = Buffer.from('caf\xe9.txt', 'latin1');

  it.each([
    ['deletes', (place: Buffer) => rm(place)],
    ['changes', (place: Buffer) => writeFile(place, 'new')],
  ])('makes the changes of a run incomplete if the run %s it', async (_, change) => {
    const { command, endedRun, changes, place } = await startWith(LATIN);
    const runId = await endedRun();
    await command(runId, () => change(place));
    expect((await changes(runId)).complete).toBe(false);
  });

  it('does not make the changes of a run incomplete if the run changes other files', async () => {
    const { command, endedRun, changes, at } = await startWith(LATIN);
    const runId = await endedRun();
    await command(runId, () => writeFile(at('notes.md'), 'new'));
    const listed = await changes(runId);
    expect([listed.complete, undoByPath(listed)]).toEqual([true, { 'notes.md': 'possible' }]);
  });
});

describe('a file named like an unfinished write', () => {
  it('is listed and undone like any other file, unless this host created it', async () => {
    const name = `.wrs-${randomUUID()}.tmp`;
    const { command, endedRun, undo, place, at } = await startWith(name);
    const runId = await endedRun();
    await command(runId, async () => {
      await rm(place);
      await writeFile(at(tempName()), 'being written');
    });
    expect(undoByPath(await undo(runId))).toEqual({ [name]: 'done' });
    expect(await readFile(place, 'utf8')).toBe('old');
  });
});
