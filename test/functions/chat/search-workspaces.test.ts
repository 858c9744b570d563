import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** Files of the large workspace, which nearly answer the question. */
const NEAR_DUPLICATES = 2000;
const QUESTION = 'When was the Firth bridge opened?';
const UNKNOWN = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';

interface Found {
  workspaceId: string;
  path: string;
  score: number;
}

let provider: FakeOpenai;
let service: Service;
let admin: TestCaller;
/** Workspaces of five files each. */
const small: string[] = [];
let large: string;

async function fill(caller: TestCaller, files: Record<string, string>): Promise<string> {
  const { id, root } = await makeWorkspace(caller);
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  await syncWorkspace(caller, id);
  return id;
}

function search(ids: string | string[], caller = admin, more = '') {
  const list = typeof ids === 'string' ? ids : ids.map((id) => `workspaceIds=${id}`).join('&');
  return caller.call<Found[]>('GET', `/api/search?q=${encodeURIComponent(QUESTION)}&${list}${more}`);
}

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const embedding = { EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'test' };
  service = await startService({ ...embedding, AUTH_MODE: 'token' });
  admin = await makeCaller(service, 'admin');
  const filler = [1, 2, 3, 4].map((at) => [`river-${at}.md`, `# River ${at}\n\nWater flows to the sea.\n`]);
  const answer = { 'firth.md': 'The Firth bridge was opened in 1890 by the Prince of Wales.\n' };
  small.push(await fill(admin, { ...answer, ...Object.fromEntries(filler) }));
  for (let at = 1; at < 20; at++) small.push(await fill(admin, Object.fromEntries(filler)));
  const near = Array.from({ length: NEAR_DUPLICATES }, (_, at) => [
    `plan-${at}.md`,
    `When was the bridge opened? The plan ${at} of the Firth bridge asks when the bridge is opened.\n`,
  ]);
  large = await fill(admin, Object.fromEntries(near));
});

describe('GET /api/search', () => {
  it('finds the one answer of a small workspace next to 2,000 near-duplicates of a large one', async () => {
    const { status, body } = await search([large, small[0] ?? ''], admin, '&k=100');
    expect(status).toBe(200);
    const place = body.findIndex(({ path }) => path === 'firth.md');
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(5);
    expect(body[place]?.workspaceId).toBe(small[0]);
    expect(body.filter(({ workspaceId }) => workspaceId === large).length).toBeGreaterThan(50);
    expect(body.map(({ score }) => score)).toEqual(body.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('finds the one workspace of 20 that has the answer', async () => {
    const { body, headers } = await search(small.toReversed());
    expect(body[0]).toMatchObject({ workspaceId: small[0], path: 'firth.md' });
    expect(headers['x-search-mode']).toBe('hybrid');
  });

  it('accepts repeated parameters, commas, and duplicates', async () => {
    const [one, two] = small;
    const repeated = (await search([one ?? '', two ?? ''])).body;
    const withCommas = (await search(`workspaceIds=${one},${two},${one}`)).body;
    expect(withCommas).toEqual(repeated);
    expect(new Set(repeated.map(({ workspaceId }) => workspaceId))).toEqual(new Set([one, two]));
  });

  it('embeds the question once, for one workspace and for 20', async () => {
    const times: number[] = [];
    for (const ids of [small.slice(0, 1), small]) {
      await search(ids); // opens the tables
      const before = provider.embeddingRequests;
      const started = performance.now();
      expect((await search(ids)).status).toBe(200);
      times.push(Math.round(performance.now() - started));
      expect(provider.embeddingRequests - before).toBe(1);
    }
    process.stdout.write(`1 and 20 workspaces: ${times.join(' and ')} ms\n`);
  });

  it.each([
    ['none', '', 'workspaceIds'],
    ['an empty one', 'workspaceIds=', 'workspaceIds.0'],
    ['21', Array.from({ length: 21 }, () => `workspaceIds=${UNKNOWN}`).join('&'), 'workspaceIds'],
  ])('refuses %s', async (_, ids, field) => {
    const { status, headers } = await search(ids);
    expect([status, headers['x-error-field']]).toEqual([400, field]);
  });

  it('answers in the same way for a missing workspace and for one that the caller may not read', async () => {
    const [own = '', foreign = '', listed = ''] = small;
    const members = [{ subject: 'someone-else', role: 'viewer' }];
    const put = await admin.call('PUT', `/api/workspaces/${listed}/members`, members);
    expect(put.status).toBe(200);
    const bound = await makeCaller(service, 'viewer', '--workspaces', `${own},${listed}`);
    expect((await search([own], bound)).status).toBe(200);
    const refusals = [];
    for (const ids of [[own, UNKNOWN], [UNKNOWN], [own, foreign], [foreign, own], [own, listed], [foreign]])
      refusals.push(await search(ids, bound));
    const shown = refusals.map(({ status, headers, body }) => {
      const codes = ['x-error-code', 'x-error-field', 'x-search-mode'].map((name) => headers[name]);
      return [status, ...codes, body];
    });
    const [unknown] = shown;
    expect(unknown).toEqual([
      404,
      'workspace_not_found',
      undefined,
      undefined,
      { error: expect.any(String) },
    ]);
    expect(shown).toEqual(shown.map(() => unknown));
    await admin.call('PUT', `/api/workspaces/${listed}/members`, []);
  });
});
