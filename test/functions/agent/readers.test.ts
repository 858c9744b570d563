import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { agentRoutes } from '../../../functions/agent/routes.ts';
import { says, startAgentRig } from '../../support/agent.ts';

/** Lambda doesn't report that a reader has left, and bills the function until it ends. */
it('event stream ends early where its time is limited, so that the client resumes with the next event', async () => {
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
  const route = agentRoutes.find(({ operationId }) => operationId === 'streamRun');
  const follow = async (after: number, readerMs?: number) => {
    const request = {
      params: { runId: run.id },
      ...{ query: { after }, headers: {}, caller: run.caller, timeLeftMs: () => 60_000 },
    };
    const answer = await route?.handle(request as never, { ...rig.ports, readerMs });
    return text(answer?.body as Readable);
  };
  // Of the time of a reader, 15 s are for the end of the stream.
  const first = await follow(0, 15_500);
  expect(first).toContain('One.');
  expect(first).not.toContain('[DONE]');
  end();
  const seen = Math.max(...[...first.matchAll(/^id: (\d+)/gm)].map(([, id]) => Number(id)));
  const rest = await follow(seen);
  expect(rest).toContain('Two.');
  expect(rest).not.toContain('One.');
  expect(rest).toContain('[DONE]');
});
