import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { answerPlan, findResearch } from '../../../lib/research/find-research.ts';
import { foldFrames } from '../../../lib/research/fold-frames.ts';
import { framesSoFar } from '../../../lib/run-events/follow-frames.ts';
import { isRunOver } from '../../../lib/runs/schema.ts';
import { MEMBER } from '../../support/agent.ts';
import { startResearchRig } from '../../support/research.ts';

const OWLS = 'https://a.example/owls';

describe('dishonest model', () => {
  it("can't quote only a part of a sentence that negates it", async () => {
    const pages = { [OWLS]: '<p>One thing. It is false that owls are safe for cats.</p>' };
    const rig = await startResearchRig(pages, ({ step }) => {
      if (step !== 'read') return undefined;
      return { claims: [{ passage: 1, claim: 'Owls are safe for cats.', quote: 'owls are safe for cats' }] };
    });
    const { runId } = await rig.begin({ question: 'Are owls safe for cats?' });
    await rig.work();
    const { evidence } = foldFrames(await framesSoFar(rig.ports.records, runId));
    expect(evidence.map(({ quote }) => quote)).toEqual(['It is false that owls are safe for cats.']);
    const judged = rig.model.prompts.filter((prompt) => prompt.startsWith('You judge'));
    expect(judged.every((prompt) => prompt.includes('It is false that'))).toBe(true);
  });

  it("can't quote a sentence without the sentence that retracts it", async () => {
    const pages = { [OWLS]: '<p>Owls are safe for cats. This was shown to be wrong.</p>' };
    const rig = await startResearchRig(pages, ({ step }) => {
      if (step !== 'read') return undefined;
      return { claims: [{ passage: 1, claim: 'Owls are safe for cats.', quote: 'Owls are safe for cats.' }] };
    });
    await rig.begin({ question: 'Are owls safe for cats?' });
    await rig.work();
    const judged = rig.model.prompts.filter((prompt) => prompt.startsWith('You judge'));
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.every((prompt) => prompt.includes('This was shown to be wrong.'))).toBe(true);
  });

  it('gets no support from an item in a list of false statements', async () => {
    const pages = {
      [OWLS]: '<p>The following statements are false:</p><ul><li>Owls are safe for cats.</li></ul>',
    };
    const rig = await startResearchRig(pages, ({ step }) => {
      if (step !== 'read') return undefined;
      return { claims: [{ passage: 1, claim: 'Owls are safe for cats.', quote: 'Owls are safe for cats.' }] };
    });
    const { runId } = await rig.begin({ question: 'Are owls safe for cats?' });
    await rig.work();
    const judged = rig.model.prompts.filter((prompt) => prompt.startsWith('You judge'));
    expect(judged.some((prompt) => /The following statements are false:[ -]+\[…\]/.test(prompt))).toBe(true);
    const { sections } = foldFrames(await framesSoFar(rig.ports.records, runId));
    const states = sections.flatMap(({ paragraphs }) => paragraphs.flat().map(({ state }) => state));
    expect(states).toEqual(['marked']);
  });

  it('makes no statement in an open question', async () => {
    const pages = { [OWLS]: '<p>Owls hunt at night in 12 forests.</p>' };
    const rig = await startResearchRig(pages, ({ step, evidence }) => {
      if (step !== 'write') return undefined;
      const paragraphs = [evidence.map(({ id, claim }) => ({ text: claim, evidence: [id] }))];
      return { paragraphs, open: ['Owls are deadly to people. Right?', 'Where do owls sleep?'] };
    });
    const { runId } = await rig.begin();
    await rig.work();
    const { finished } = foldFrames(await framesSoFar(rig.ports.records, runId));
    expect(finished?.report.openQuestions).toEqual(['Where do owls sleep?']);
  });

  it('does not hide the evidence for a question whose sentences were removed', async () => {
    const pages = { [OWLS]: '<p>Owls hunt at night in 12 forests.</p>' };
    const rig = await startResearchRig(pages, ({ step, evidence }) => {
      if (step !== 'write') return undefined;
      return {
        paragraphs: [evidence.map(({ id }) => ({ text: 'Owls hunt in 31 forests.', evidence: [id] }))],
        open: [],
      };
    });
    const { runId } = await rig.begin();
    await rig.work();
    const { finished, evidence } = foldFrames(await framesSoFar(rig.ports.records, runId));
    expect(evidence).not.toEqual([]);
    expect(finished?.report.openQuestions).toEqual([
      expect.stringMatching(
        /\? \(Evidence was found, but the sentences about it were removed as unsupported\.\)$/,
      ),
    ]);
  });

  it('gets every flagged sentence marked in the conversation', async () => {
    const pages = { [OWLS]: '<p>Owls hunt at night in 12 forests.</p>' };
    const rig = await startResearchRig(pages, ({ step, sentences }) => {
      if (step !== 'judge') return undefined;
      return { verdicts: sentences.map(({ number }) => ({ number, says: 'partly', why: 'in part' })) };
    });
    const { runId } = await rig.begin();
    await rig.work();
    const frames = await framesSoFar(rig.ports.records, runId);
    expect(foldFrames(frames).sections[0]?.paragraphs[0]?.[0]).toMatchObject({ state: 'marked' });
    expect(frames).toContainEqual(
      expect.objectContaining({
        type: 'text-delta',
        delta: 'Owls hunt at night in 12 forests. ⚠ (not supported by its sources)',
      }),
    );
  });
});

it('report keeps to the minutes of its budget, with any number of processes', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `${OWLS}/${at}`,
      `<p>${'Owls hunt at night. '.repeat(200)}${at}</p>`,
    ]),
  );
  const rig = await startResearchRig(pages);
  const { runId } = await rig.begin({ approvePlan: true, budget: { minutes: 2 } });
  await rig.work();
  const { study } = await findResearch(rig.ports.records, MEMBER, runId);
  await answerPlan(rig.ports, MEMBER, { run: await rig.find(runId), study }, { approved: true });
  rig.time.requestMs = 4 * 60_000 + 16_000;
  rig.model.script = () => {
    rig.time.offsetMs += 15_000;
    return undefined;
  };
  for (let tries = 0; tries < 30 && !isRunOver((await rig.find(runId)).status); tries++) await rig.work();
  const { finished } = foldFrames(await framesSoFar(rig.ports.records, runId));
  expect(finished?.ended).toBe('ended at its budget of 2 minutes');
});

it('report turns the text of a plan into questions', async () => {
  const rig = await startResearchRig({ [OWLS]: '<p>Owls hunt at night.</p>' }, ({ step }) => {
    const questions = ['Owls killed 900. All died!', '猫很危险。', 'Do owls hunt?'];
    return step === 'plan' ? { questions: questions.map((question) => ({ question })) } : undefined;
  });
  const { runId } = await rig.begin();
  await rig.work();
  const { plan } = foldFrames(await framesSoFar(rig.ports.records, runId));
  expect(plan?.questions.map(({ question }) => question)).toEqual([
    'Owls killed 900, All died?',
    '猫很危险？',
    'Do owls hunt?',
  ]);
});

it('report overwrites no page that a person has changed', async () => {
  const rig = await startResearchRig({ [OWLS]: '<p>Owls hunt at night.</p>' });
  await rig.begin();
  await rig.work();
  const folder = join(rig.workspace.rootPath, 'sources/web');
  const [name = ''] = await readdir(folder);
  await writeFile(join(folder, name), 'my notes');
  await rig.begin();
  await rig.work();
  expect(await readFile(join(folder, name), 'utf8')).toBe('my notes');
  expect(await readdir(folder)).toHaveLength(2);
});
