import { describe, expect, it } from '@jest/globals';
import { startTableRig } from '../../support/evidence.ts';
import {
  finishRun,
  framesSentOnce,
  GIVEN_UP,
  killAfter,
  killOften,
} from '../../support/processes/killed-runs.ts';

/** Calls in progress when a process is killed. */
const AT_ONCE = 4;
/** A process dies after this many store calls. EVIDENCE_KILL_EVERY=1 tests each call. */
const EVERY = Number(process.env.EVIDENCE_KILL_EVERY ?? 9);

const FILES = Object.fromEntries(
  Array.from({ length: 5 }, (_, at) => [`${at}.md`, `Weight: ${at + 1} g\n\nPlace: Oslo\n`]),
);
/** Of other columns each time, because answers to the same prompt are reused. */
const columnsFor = (lives: number) => [
  { name: 'Weight', question: 'Weight', type: 'number', unit: 'g' },
  { name: 'Place', question: 'Place', type: 'text' },
  { name: 'Other', question: `Other ${lives}`, type: 'text' },
];

describe('a worker that is killed', () => {
  it('at any call to the store leaves a table with every cell, and pays for no call twice', async () => {
    const rig = await startTableRig(FILES);
    let died = true;
    let tables = 0;
    for (let lives = 1; died; lives += EVERY) {
      const { tableId, runId } = await rig.create({ pilot: 5, columns: columnsFor(lives) });
      rig.model.prompts.length = 0;
      died = await killAfter(rig, lives);
      await finishRun(rig, runId);
      await framesSentOnce(rig, runId, lives);
      const { counts } = await rig.look(tableId);
      expect([lives, counts]).toMatchObject([lives, { found: 10, notStated: 5, waiting: 0, look: 0 }]);
      const distinct = new Set(rig.model.prompts).size;
      expect([lives, distinct, rig.model.prompts.length - distinct <= AT_ONCE]).toEqual([lives, 5, true]);
      tables += 1;
    }
    expect(tables).toBeGreaterThan(5);
  });

  it('repeatedly at the same step ends the run, and reports the failure', async () => {
    const rig = await startTableRig(FILES);
    const { runId } = await rig.create();
    expect(await killOften(rig, runId, 6)).toMatchObject(GIVEN_UP);
  });
});
