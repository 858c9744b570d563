import { describe, expect, it } from '@jest/globals';
import { startCheckRig } from '../../support/draft-checks.ts';
import {
  finishRun,
  framesSentOnce,
  GIVEN_UP,
  killAfter,
  killOften,
} from '../../support/processes/killed-runs.ts';

const FILES = {
  'owls.md': 'Owls hunt at night in 12 forests.\n',
  'hawks.md': 'Hawks hunt by day in Norway.\n',
};
/** Calls in progress when a process is killed. */
const AT_ONCE = 3;
/** A process dies after this many store calls. VERIFY_KILL_EVERY=1 tests each call. */
const EVERY = Number(process.env.VERIFY_KILL_EVERY ?? 7);
/** Four batches of claims. */
const CLAIMS = 40;

function draft(name: number): string {
  return Array.from(
    { length: CLAIMS },
    (_, at) => `Owls hunt at night in 12 forests, says ranger ${name} on day ${at}.`,
  ).join('\n');
}

describe('a worker that is killed', () => {
  it('at any call to the store leaves a run that ends with each verdict once, and pays for no call twice', async () => {
    const rig = await startCheckRig(FILES, ({ sentences }) => ({
      verdicts: sentences.map(({ number }) => ({ number, says: 'partly', why: 'in part' })),
    }));
    let died = true;
    let runs = 0;
    for (let lives = 1; died; lives += EVERY) {
      const { runId } = await rig.begin({ text: draft(lives), judge: true });
      rig.model.prompts.length = 0;
      died = await killAfter(rig, lives);
      await finishRun(rig, runId);
      await framesSentOnce(rig, runId, lives);
      const check = await rig.look(runId);
      expect([lives, check.counts]).toMatchObject([lives, { claims: CLAIMS, checked: CLAIMS }]);
      const again = rig.model.prompts.length - new Set(rig.model.prompts).size;
      expect([lives, again <= AT_ONCE]).toEqual([lives, true]);
      expect([lives, new Set(rig.model.prompts).size]).toEqual([lives, CLAIMS / 10]);
      runs += 1;
    }
    expect(runs).toBeGreaterThan(5);
  });

  it('repeatedly at the same step ends the run, and reports the failure', async () => {
    const rig = await startCheckRig(FILES);
    const { runId } = await rig.begin({ text: draft(1) });
    expect(await killOften(rig, runId, 6)).toMatchObject(GIVEN_UP);
  });
});

describe('a worker that runs out of time', () => {
  it('hands the run over to another worker, which repeats nothing', async () => {
    const rig = await startCheckRig(FILES);
    rig.time.requestMs = 5 * 60_000;
    const { runId } = await rig.begin({ text: draft(1), judge: true });
    rig.model.script = ({ sentences }) => {
      rig.time.offsetMs = 61_000; // from the first call on, even if several batches ask at once
      return { verdicts: sentences.map(({ number }) => ({ number, says: 'partly', why: '' })) };
    };
    await rig.work();
    expect(await rig.find(runId)).toMatchObject({ status: 'running', parked: true });
    while ((await rig.work()) > 0);
    expect(await rig.find(runId)).toMatchObject({ status: 'done' });
    expect(rig.model.prompts).toHaveLength(new Set(rig.model.prompts).size);
  });
});
