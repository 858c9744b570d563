import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { backgroundWorkDone, waitUntil } from '../../../lib/async/after-response.ts';
import { eventStream } from '../../../lib/http/event-stream.ts';
import { serveQueue } from '../../../lib/queue/worker.ts';

/** Starts work that a response leaves behind, and returns whether it is done. */
function leaveWork() {
  const state = { isOver: false };
  const work = sleep(60).then(() => {
    state.isOver = true;
  });
  waitUntil('the work', work);
  return state;
}

describe('work after the response', () => {
  it('delays the end of a stream, but none of its chunks', async () => {
    let state = { isOver: false };
    async function* parts() {
      state = leaveWork();
      yield { type: 'start' as const };
    }
    const seen: boolean[] = [];
    for await (const piece of eventStream(parts)) {
      expect(String(piece)).toContain('[DONE]');
      seen.push(state.isOver);
    }
    expect([seen, state.isOver]).toEqual([[false], true]);
  });

  it('finishes before a worker has handled its messages', async () => {
    let state = { isOver: false };
    const handler = serveQueue({
      message: z.object({}),
      queues: {},
      handle: async () => {
        state = leaveWork();
      },
    });
    const attributes = { ApproximateReceiveCount: '1' };
    const record = { messageId: '1', body: '{}', attributes, eventSourceARN: 'arn:aws:sqs:local:0:work' };
    await handler({ Records: [record] } as never, { getRemainingTimeInMillis: () => 1000 });
    expect(state.isOver).toBe(true);
  });

  it('is waited for up to a limit', async () => {
    waitUntil('what hangs', new Promise(() => {}));
    const startedAt = performance.now();
    await backgroundWorkDone();
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
  });
});
