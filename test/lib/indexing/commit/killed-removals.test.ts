import { expect, it } from '@jest/globals';
import { commitMessages } from '../../../../lib/indexing/commit/commit.ts';
import { maintainTable } from '../../../../lib/indexing/commit/maintain.ts';
import type { CommitMessage } from '../../../../lib/indexing/messages.ts';
import { KEPT_MINUTES, mail, makeMailWorkspace } from '../../../support/mail-workspace.ts';
import { startPipeline } from '../../../support/pipeline.ts';
import { killable } from '../../../support/processes/killable.ts';

const pipeline = await startPipeline();
const { ports, now, drain, takeResults } = pipeline;
type Ports = typeof ports;

/** Replaces a heron with an owl, whose results are on their way. */
async function makeReplaced() {
  const workspace = await makeMailWorkspace(pipeline);
  await workspace.save('a.eml', 'heron');
  await workspace.write('a.eml', mail('owl'));
  await workspace.touch('a.eml');
  return { workspace, results: await takeResults() };
}

/**
 * Runs the work of a process that is killed before its call `lives` + 1. Returns whether the work was
 * finished before.
 */
async function runKilled(lives: number, work: (mortal: Ports) => Promise<void>): Promise<boolean> {
  const mortal = killable(ports, ['records', 'objects', 'maintainQueue'], lives);
  const run = work(mortal.ports).then(() => true);
  const isDone = await Promise.race([mortal.died.then(() => false), run]);
  mortal.bury();
  await run.catch(() => undefined);
  now.offsetMs += 120_000; // its lease is over
  return isDone;
}

type Replaced = Awaited<ReturnType<typeof makeReplaced>>;

/**
 * Kills a piece of work at each of its calls in turn, repeats it, and checks the stored data some time later.
 * Returns the number of calls.
 */
async function killAtEachCall(
  prepare: (results: CommitMessage[]) => Promise<void>,
  work: (replaced: Replaced, mortal: Ports) => Promise<void>,
): Promise<number> {
  for (let lives = 0; ; lives++) {
    const replaced = await makeReplaced();
    const { workspace, results } = replaced;
    await prepare(results);
    const isDone = await runKilled(lives, (mortal) => work(replaced, mortal));
    if (!isDone) await work(replaced, ports);
    await drain();
    await workspace.pass(KEPT_MINUTES + 3);
    expect([lives, await workspace.stored('heron')]).toEqual([lives, undefined]);
    expect([lives, await workspace.stored('owl')]).toEqual([lives, expect.stringContaining('owl')]);
    if (isDone) return lives;
  }
}

it('a commit that is killed at any call leaves no text behind', async () => {
  const calls = await killAtEachCall(
    async () => undefined,
    ({ results }, mortal) => commitMessages(mortal, results),
  );
  expect(calls).toBeGreaterThan(10);
});

it('a removal that is killed at any call leaves no text behind, and removes no text in use', async () => {
  const calls = await killAtEachCall(
    async (results) => {
      await commitMessages(ports, results);
      now.offsetMs += (KEPT_MINUTES + 2) * 60_000;
    },
    ({ workspace }, mortal) =>
      maintainTable(mortal, { workspaceId: workspace.id, space: 'fake', askedAt: ports.clock.now() }),
  );
  expect(calls).toBeGreaterThan(10);
});
