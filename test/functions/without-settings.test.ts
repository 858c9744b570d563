import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startService } from '../support/service.ts';
import { syncWorkspace } from '../support/sync.ts';
import { makeWorkspace } from '../support/workspace.ts';

const service = await startService();
const { id, root } = await makeWorkspace(service);
const messages = [{ role: 'user', content: 'zebras' }];
const refusal = { status: 503, body: { error: expect.stringMatching(/No model is connected/) } };

it('chat without settings returns 503 and names the variable, but keyword search still works', async () => {
  await writeFile(join(root, 'a.txt'), 'Zebras have stripes.\n');
  await syncWorkspace(service, id);
  expect(await service.call('POST', '/api/chat', { workspaceId: id, messages })).toMatchObject(refusal);
  const path = `/api/workspaces/${id}/search?q=zebras`;
  const { body, headers } = await service.call<{ path: string }[]>('GET', path);
  expect(body.map(({ path }) => path)).toEqual(['a.txt']);
  expect([headers['x-search-mode'], headers['x-search-fallback']]).toEqual(['lexical', 'not-configured']);
});

it('agent without settings returns 503 and names the variable', async () => {
  const body = { workspaceId: id, messages };
  expect(await service.call('POST', '/api/agent', { ...body, cwd: '' })).toMatchObject(refusal);
  expect(await service.call('POST', '/api/agent/summarize', body)).toMatchObject(refusal);
  expect((await service.call('GET', `/api/agent/runs?workspaceId=${id}`)).body).toEqual([]);
});

it.each([
  ['?provider=d', 400, 'provider'],
  ['?provider=', 400, 'provider'],
  ['', 503, 'No model is connected'],
  ['?provider=c', 503, "Gemini isn't connected"],
])('GET /api/models fails %s with %s', async (query, status, word) => {
  const answer = await service.call<{ error: string }>('GET', `/api/models${query}`);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toContain(word);
});

it.each(['GET', 'POST'])(
  '%s of a bot without settings returns 503 and names the variables',
  async (method) => {
    const answer = await service.call(method, '/api/bot/imb', method === 'POST' ? 'x' : undefined);
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'The WeCom bot is disabled. Set IMB_BOT_ENABLED to true.' },
    ]);
  },
);

it('cluster status without settings reports that no cluster is configured', async () => {
  expect(await service.call('GET', '/api/cluster/status')).toMatchObject({
    status: 200,
    body: { configured: false },
  });
});
