import { describe, expect, it } from '@jest/globals';
import { countNotes } from '../../../lib/notes/notes.ts';
import { foldFrames } from '../../../lib/research/fold-frames.ts';
import { followRun } from '../../../lib/runs/follow-run.ts';
import {
  finishRun,
  framesSentOnce,
  GIVEN_UP,
  killAfter,
  killOften,
} from '../../support/processes/killed-runs.ts';
import { startResearchRig } from '../../support/research.ts';

const PAGES = {
  'https://a.example/owls': '<h1>Owls</h1><p>Owls hunt at night in 12 forests.</p>',
  'https://b.example/hawks': '<h1>Hawks</h1><p>Hawks and owls hunt by day in Norway.</p>',
};
/** Calls in progress when a process is killed. */
const AT_ONCE = 4;
/** A process dies after this many store calls. RESEARCH_KILL_EVERY=1 tests each call. */
const EVERY = Number(process.env.RESEARCH_KILL_EVERY ?? 9);

describe('killed research worker', () => {
  it('leaves a run that ends with one report, and pays for no call again, at any store call', async () => {
    const rig = await startResearchRig(PAGES);
    let died = true;
    let runs = 0;
    for (let lives = 1; died; lives += EVERY) {
      const question = `When do owls hunt, ${lives}?`;
      const { runId } = await rig.begin({ question });
      rig.model.prompts.length = 0;
      died = await killAfter(rig, lives);
      await finishRun(rig, runId);
      const frames = await framesSentOnce(rig, runId, lives);
      expect(foldFrames(frames)).toMatchObject({ counts: { supported: 4, dropped: 0 } });
      runs += 1;
      expect([lives, await countNotes(rig.ports.records, rig.workspace.id)]).toEqual([lives, runs]);
      const again = rig.model.prompts.length - new Set(rig.model.prompts).size;
      expect([lives, again <= AT_ONCE]).toEqual([lives, true]);
    }
    expect(runs).toBeGreaterThan(5);
  });

  it('ends the run with a reason if it is killed at the same step repeatedly', async () => {
    const rig = await startResearchRig(PAGES);
    const { runId } = await rig.begin();
    expect(await killOften(rig, runId, 6)).toMatchObject(GIVEN_UP);
  });
});

describe('research worker at its timeout', () => {
  it('hands the run over to another worker, which repeats nothing', async () => {
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

it('research run reports its progress while it waits for a slow model', async () => {
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
