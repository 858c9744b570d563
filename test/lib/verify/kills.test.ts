import { describe, expect, it } from '@jest/globals';
import { sweepRuns } from '../../../lib/agent/run/sweep.ts';
import { isRunOver } from '../../../lib/agent/schema.ts';
import { framesSoFar } from '../../../lib/run-events/follow-frames.ts';
import { type CheckRig, startCheckRig } from '../../support/draft-checks.ts';
import { killable } from '../../support/processes/killable.ts';

const FILES = {
  'owls.md': 'Owls hunt at night in 12 forests.\n',
  'hawks.md': 'Hawks hunt by day in Norway.\n',
};
/** Calls in progress when a process is killed. */
const AT_ONCE = 3;
/** Every so many calls of the store a process dies; VERIFY_KILL_EVERY=1 takes each. */
const EVERY = Number(process.env.VERIFY_KILL_EVERY ?? 7);
/** Four batches of claims. */
const CLAIMS = 40;

function draft(name: number): string {
  return Array.from(
    { length: CLAIMS },
    (_, at) => `Owls hunt at night in 12 forests, says ranger ${name} on day ${at}.`,
  ).join('\n');
}

/** A worker that is killed in place of a call of the store; then, when its lease is over, the tick and another one. */
async function killAfter(rig: CheckRig, lives: number): Promise<boolean> {
  const mortal = killable(rig.ports, ['records', 'objects'], lives);
  const working = rig.work(mortal.ports);
  const died = await Promise.race([mortal.died.then(() => true), working.then(() => false)]);
  mortal.bury();
  rig.time.offsetMs += 3 * 60_000; // by which the dead one, too, knows that its lease is over
  await working.catch(() => undefined);
  await sweepRuns(rig.ports);
  return died;
}

async function finish(rig: CheckRig, runId: string): Promise<void> {
  for (let tries = 0; tries < 10 && !isRunOver((await rig.find(runId)).status); tries++) {
    rig.time.offsetMs += 3 * 60_000;
    await sweepRuns(rig.ports);
    await rig.work();
  }
}

describe('a worker that is killed', () => {
  it('at any call of the store leaves a run that ends with each verdict once, and pays for no call again', async () => {
    const rig = await startCheckRig(FILES, ({ sentences }) => ({
      verdicts: sentences.map(({ number }) => ({ number, says: 'partly', why: 'in part' })),
    }));
    let died = true;
    let runs = 0;
    for (let lives = 1; died; lives += EVERY) {
      const { runId } = await rig.begin({ text: draft(lives), judge: true });
      rig.model.prompts.length = 0;
      died = await killAfter(rig, lives);
      await finish(rig, runId);
      const frames = await framesSoFar(rig.ports.records, runId);
      const said = frames.flatMap((frame) => ('id' in frame ? [`${frame.type} ${frame.id}`] : []));
      expect([lives, said.length]).toEqual([lives, new Set(said).size]);
      expect([lives, frames.filter(({ type }) => type === 'finish').length]).toEqual([lives, 1]);
      const check = await rig.look(runId);
      expect([lives, check.counts]).toMatchObject([lives, { claims: CLAIMS, checked: CLAIMS }]);
      const again = rig.model.prompts.length - new Set(rig.model.prompts).size;
      expect([lives, again <= AT_ONCE]).toEqual([lives, true]);
      expect([lives, new Set(rig.model.prompts).size]).toEqual([lives, CLAIMS / 10]);
      runs += 1;
    }
    expect(runs).toBeGreaterThan(5);
  });

  it('over and over at the same step ends the run, and reports it', async () => {
    const rig = await startCheckRig(FILES);
    const { runId } = await rig.begin({ text: draft(1) });
    for (let times = 0; times < 20 && !isRunOver((await rig.find(runId)).status); times++)
      await killAfter(rig, 6);
    expect(await rig.find(runId)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/stopped before the run was over/),
    });
  });
});

describe('a worker whose time is up', () => {
  it('hands the run on, to another that repeats nothing', async () => {
    const rig = await startCheckRig(FILES);
    rig.time.requestMs = 5 * 60_000;
    const { runId } = await rig.begin({ text: draft(1), judge: true });
    rig.model.script = ({ sentences }) => {
      if (rig.model.prompts.length === 1) rig.time.offsetMs += 61_000;
      return { verdicts: sentences.map(({ number }) => ({ number, says: 'partly', why: '' })) };
    };
    await rig.work();
    expect(await rig.find(runId)).toMatchObject({ status: 'running', parked: true });
    while ((await rig.work()) > 0);
    expect(await rig.find(runId)).toMatchObject({ status: 'done' });
    expect(rig.model.prompts).toHaveLength(new Set(rig.model.prompts).size);
  });
});
