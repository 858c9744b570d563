import { describe, expect, it } from '@jest/globals';
import { makeCaller } from '../support/callers.ts';
import { threadTime } from '../support/processes/thread-time.ts';
import { startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Other callers wait as long; `test:worst-body` requires 100 ms, on an idle host. */
const MOST_MS = 1000;
/** Processor time. Receiving and parsing 5.9 MB takes about 80 ms of it. */
const MOST_OF_TEXT_MS = 180;
const service = await startService({ AUTH_MODE: 'token', LOG_LEVEL: 'error' });
const [viewer, member, admin] = await Promise.all([
  makeCaller(service, 'viewer'),
  makeCaller(service, 'member'),
  makeCaller(service, 'admin'),
]);
const { id: workspaceId } = await makeWorkspace(admin);

const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
const chat = (messages: string) => `{"workspaceId":"${workspaceId}","messages":${messages}}`;
const parts = (text: string) => chat(`[{"role":"user","parts":${text}}]`);

const type = 'multipart/form-data; boundary=boundary-7MA4YWxkTrZu0gW';
const rules = (rule: object) => JSON.stringify({ rules: [{ action: 'ask', ...rule }] });
const task = (schedule: string) =>
  JSON.stringify({ name: 'x', taskType: 'custom', schedule, workspaceId, config: { prompt: 'x' } });

/**
 * Input that is too long is rejected before it is processed. Before that, it took up to 0.8 s including the
 * response.
 */
describe('request delays no other with', () => {
  it.each([
    [
      'a path of ../',
      member,
      'POST',
      '/api/files/uploads',
      { workspaceId, path: '../'.repeat(1_960_000), size: 1 },
    ],
    [
      'wildcards in a rule',
      admin,
      'PUT',
      `/api/workspaces/${workspaceId}/permissions`,
      rules({ tool: 'bash', pattern: '*'.repeat(5_900_000) }),
    ],
    [
      'the name of a tool',
      admin,
      'PUT',
      `/api/workspaces/${workspaceId}/permissions`,
      rules({ tool: '*'.repeat(5_900_000), pattern: '*' }),
    ],
    ['a schedule', member, 'POST', '/api/scheduled-tasks', task('0 '.repeat(2_950_000))],
    [
      'headers of a part',
      member,
      'POST',
      '/api/files/upload',
      `--boundary-7MA4YWxkTrZu0gW\r\n${'x-a: b\r\n'.repeat(500_000)}`,
    ],
    [
      'parts of a form',
      member,
      'POST',
      '/api/files/upload',
      '--boundary-7MA4YWxkTrZu0gW\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(50_000),
    ],
  ])('%s', async (_what, caller, method, path, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      ...caller.headers,
      'content-type': path.endsWith('upload') ? type : 'application/json',
    };
    await service.call(method, path, '{}', headers); // loads the function
    const before = threadTime(service.pid);
    const answer = await service.call(method, path, text, headers);
    expect(answer.status).toBe(400);
    expect(threadTime(service.pid) - before).toBeLessThan(MOST_OF_TEXT_MS);
  });
});

describe("viewer's request delays no other", () => {
  it.each([
    ['450,000 unknown fields', `{${fields(450_000)}}`],
    ['4,900 unknown fields', `{${fields(4900)}}`],
    ['3 million brackets', '['.repeat(2_950_000) + ']'.repeat(2_950_000)],
    [
      'objects that each have another field',
      chat(`[${Array.from({ length: 400_000 }, (_, at) => `{"k${at}":1}`)}]`),
    ],
    ['90,000 invalid parts', parts(`[${'1,'.repeat(90_000)}1]`)],
    ['a string of 5.9 MB', chat(JSON.stringify('x'.repeat(5_900_000)))],
  ])('%s', async (_what, body) => {
    const headers = { ...viewer.headers, 'content-type': 'application/json' };
    await service.call('POST', '/api/chat', '{}', headers); // loads the function
    const before = threadTime(service.pid);
    const answer = await service.call<{ error: string }>('POST', '/api/chat', body, headers);
    expect(answer.status).toBe(400);
    expect(threadTime(service.pid) - before).toBeLessThan(MOST_MS);
  });
});
