import { expect, it } from '@jest/globals';
import { shareThread } from '../../../lib/async/share-thread.ts';

const WORK_MS = 20;

it('shareThread lets timers run between the work of several callers', async () => {
  const share = shareThread();
  let ran = 0;
  const timer = setInterval(() => {
    ran += 1;
  }, 1);
  let longest = 0;
  let [before, since] = [ran, 0];
  const work = async () => {
    for (let at = 0; at < 10; at++) {
      await share();
      since = ran === before ? since + 1 : 1;
      before = ran;
      longest = Math.max(longest, since);
      for (const end = performance.now() + WORK_MS; performance.now() < end; );
    }
  };
  await Promise.all([work(), work(), work()]);
  clearInterval(timer);
  expect(longest).toBeLessThanOrEqual(2);
  expect(ran).toBeGreaterThanOrEqual(25);
});
