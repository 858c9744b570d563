import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { agentRoutes } from '../../../functions/agent/routes.ts';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import type { Run } from '../../../lib/runs/schema.ts';
import {
  type AgentRig,
  calls,
  inTurn,
  MEMBER,
  says,
  startAgentRig,
  startRigWithTools,
} from '../../support/agent.ts';

const HOUR = 3_600_000;

/** Opens a stream of the run as its route does. */
async function open(rig: AgentRig, run: Run, after: number, readerMs?: number): Promise<Readable> {
  const route = agentRoutes.find(({ operationId }) => operationId === 'streamRun');
  const request = {
    params: { runId: run.id },
    ...{ query: { after }, headers: {}, caller: run.caller, timeLeftMs: () => 60_000 },
  };
  const answer = await route?.handle(request as never, { ...rig.ports, readerMs });
  return answer?.body as Readable;
}

const follow = async (...wanted: Parameters<typeof open>) => text(await open(...wanted));

function lastNumber(events: string): number {
  return Math.max(...[...events.matchAll(/^id: (\d+)/gm)].map(([, id]) => Number(id)));
}

/** Lambda doesn't report that a reader has left, and bills the function until it ends. */
it('event stream ends early where its duration is limited, and the client resumes with the next event', async () => {
  const rig = await startAgentRig();
  let end: () => void = () => {};
  const held = new Promise<void>((done) => {
    end = done;
  });
  rig.model.answer = async function* () {
    yield { type: 'text', text: 'One.' };
    await held;
    yield* says('Two.');
  };
  const { run } = await rig.send();
  // 15 s of a reader's time are for the end of the stream.
  const first = await follow(rig, run, 0, 15_500);
  expect(first).toContain('One.');
  expect(first).not.toMatch(/\[DONE\]|retry/);
  end();
  const rest = await follow(rig, run, lastNumber(first));
  expect(rest).toContain('Two.');
  expect(rest).not.toContain('One.');
  expect(rest).toContain('[DONE]');
});

it('event stream of a run that waits for a person ends at once, and says when to ask again', async () => {
  const { rig } = await startRigWithTools();
  rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
  const { run } = await rig.ask();
  const askedAt = Date.now();
  const first = await follow(rig, run, 0, 165_000);
  expect(first).toMatch(/"tool-approval-request".*\n\nretry: 2000\n\n$/s);
  const seen = lastNumber(first);
  for (const [waitedMs, retryMs] of [
    [60_000, 60],
    [HOUR, 600],
  ] as const) {
    // A busy host takes a while between the question and this line.
    rig.time.offsetMs = askedAt + waitedMs - Date.now();
    expect(await follow(rig, run, seen, 165_000)).toMatch(new RegExp(`^retry: ${retryMs}\\d\\d\\n\\n$`));
  }
  await answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, { approved: true });
  const rest = follow(rig, run, seen, 165_000); // stays open while the worker continues
  await rig.work();
  expect(await rest).toMatch(/Launched\..*\[DONE\]\n\n$/s);
});

it('event stream of a run that waits for a person stays open on a host that notices when readers leave', async () => {
  const { rig } = await startRigWithTools();
  rig.model.answer = inTurn(calls({ name: 'launch' }), says('Launched.'));
  const { run } = await rig.ask();
  const stream = await open(rig, run, 0);
  const all = text(stream);
  await answerOverApi(rig.ports, MEMBER, run, (await rig.approvalOf(run.id)).id, { approved: true });
  await rig.work();
  expect(await all).toMatch(/"tool-approval-request".*Launched\..*\[DONE\]\n\n$/s);
  expect(await all).not.toContain('retry');
});
