import { describe, expect, it } from '@jest/globals';
import { makeCaller } from '../support/callers.ts';
import { threadTime } from '../support/processes/thread-time.ts';
import { startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Whoever is answered meanwhile waits as long; the lane `test:worst-body` looks for 100 ms on a machine that is idle. */
const MOST_MS = 1000;
const service = await startService({ AUTH_MODE: 'token', LOG_LEVEL: 'error' });
const [viewer, admin] = await Promise.all([makeCaller(service, 'viewer'), makeCaller(service, 'admin')]);
const { id: workspaceId } = await makeWorkspace(admin);

const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
const chat = (messages: string) => `{"workspaceId":"${workspaceId}","messages":${messages}}`;
const parts = (text: string) => chat(`[{"role":"user","parts":${text}}]`);

describe('a request of a viewer holds nobody up', () => {
  it.each([
    ['450,000 unknown fields', `{${fields(450_000)}}`],
    ['4,900 unknown fields', `{${fields(4900)}}`],
    ['3 million brackets', '['.repeat(2_950_000) + ']'.repeat(2_950_000)],
    [
      'objects that each have another field',
      chat(`[${Array.from({ length: 400_000 }, (_, at) => `{"k${at}":1}`)}]`),
    ],
    ['90,000 parts that are none', parts(`[${'1,'.repeat(90_000)}1]`)],
    ['a text of 5.9 MB', chat(JSON.stringify('x'.repeat(5_900_000)))],
  ])('%s', async (_what, body) => {
    const headers = { ...viewer.headers, 'content-type': 'application/json' };
    await service.call('POST', '/api/chat', '{}', headers); // loads the function
    const before = threadTime(service.pid);
    const answer = await service.call<{ error: string }>('POST', '/api/chat', body, headers);
    expect(answer.status).toBe(400);
    expect(threadTime(service.pid) - before).toBeLessThan(MOST_MS);
  });
});
