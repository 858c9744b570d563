import { describe, expect, it } from '@jest/globals';
import { followRun } from '../../../lib/agent/run/follow-run.ts';
import { sweepRuns } from '../../../lib/agent/run/sweep.ts';
import { isRunOver } from '../../../lib/agent/schema.ts';
import { countNotes } from '../../../lib/notes/notes.ts';
import { foldFrames } from '../../../lib/research/fold-frames.ts';
import { framesSoFar } from '../../../lib/run-events/follow-frames.ts';
import { killable } from '../../support/processes/killable.ts';
import { type ResearchRig, startResearchRig } from '../../support/research.ts';

const PAGES = {
  'https://a.example/owls': '<h1>Owls</h1><p>Owls hunt at night in 12 forests.</p>',
  'https://b.example/hawks': '<h1>Hawks</h1><p>Hawks and owls hunt by day in Norway.</p>',
};
/** Calls in progress when a process is killed. */
const AT_ONCE = 4;
/** Every so many calls of the store a process dies; RESEARCH_KILL_EVERY=1 takes each. */
const EVERY = Number(process.env.RESEARCH_KILL_EVERY ?? 9);

/** A worker that is killed in place of a call of the store; then, when its lease is over, the tick and another one. */
async function killAfter(rig: ResearchRig, lives: number): Promise<boolean> {
  const mortal = killable(rig.ports, ['records', 'objects'], lives);
  const working = rig.work(mortal.ports);
  const died = await Promise.race([mortal.died.then(() => true), working.then(() => false)]);
  mortal.bury();
  rig.time.offsetMs += 3 * 60_000; // by which the dead one, too, knows that its lease is over
  await working.catch(() => undefined);
  await sweepRuns(rig.ports);
  return died;
}

async function finish(rig: ResearchRig, runId: string): Promise<void> {
  for (let tries = 0; tries < 10 && !isRunOver((await rig.find(runId)).status); tries++) {
    rig.time.offsetMs += 3 * 60_000;
    await sweepRuns(rig.ports);
    await rig.work();
  }
}

describe('a worker that is killed', () => {
  it('at any call of the store leaves a run that ends with one report, and pays for no call again', async () => {
    const rig = await startResearchRig(PAGES);
    let died = true;
    let runs = 0;
    for (let lives = 1; died; lives += EVERY) {
      const question = `When do owls hunt, ${lives}?`;
      const { runId } = await rig.begin({ question });
      rig.model.prompts.length = 0;
      died = await killAfter(rig, lives);
      await finish(rig, runId);
      const frames = await framesSoFar(rig.ports.records, runId);
      const said = frames.flatMap((frame) => ('id' in frame ? [`${frame.type} ${frame.id}`] : []));
      expect([lives, said.length]).toEqual([lives, new Set(said).size]);
      expect([lives, frames.filter(({ type }) => type === 'finish').length]).toEqual([lives, 1]);
      expect(foldFrames(frames)).toMatchObject({ counts: { supported: 4, dropped: 0 } });
      runs += 1;
      expect([lives, await countNotes(rig.ports.records, rig.workspace.id)]).toEqual([lives, runs]);
      const again = rig.model.prompts.length - new Set(rig.model.prompts).size;
      expect([lives, again <= AT_ONCE]).toEqual([lives, true]);
    }
    expect(runs).toBeGreaterThan(5);
  });

  it('over and over at the same step ends the run, and reports it', async () => {
    const rig = await startResearchRig(PAGES);
    const { runId } = await rig.begin();
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
    const rig = await startResearchRig(PAGES);
    rig.time.requestMs = 5 * 60_000;
    const { runId } = await rig.begin();
    rig.model.script = ({ step }) => {
      if (step === 'weigh') rig.time.offsetMs += 61_000;
      return undefined;
    };
    await rig.work();
    expect(await rig.find(runId)).toMatchObject({ status: 'running', parked: true });
    await rig.work();
    expect(await rig.find(runId)).toMatchObject({ status: 'done' });
    expect(rig.model.prompts).toHaveLength(new Set(rig.model.prompts).size);
  });
});

it('says how far it is while it waits for a slow model', async () => {
  const rig = await startResearchRig(PAGES);
  const gate = Promise.withResolvers<void>();
  rig.model.before = gate.promise;
  const { runId } = await rig.begin();
  const working = rig.work();
  const parts: string[] = [];
  const until = { after: 0, untilSuspended: false, signal: new AbortController().signal, timeLeftMs: 60_000 };
  for await (const part of followRun(rig.ports, runId, until)) {
    parts.push(part.type);
    if (part.type === 'data-progress') break;
  }
  gate.resolve();
  expect(parts).toEqual(['start', 'data-progress']);
  await working;
});
