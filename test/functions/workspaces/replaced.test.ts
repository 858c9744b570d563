import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { createWorkspace } from '../../support/sync.ts';

const service = await startService();
const id = await createWorkspace(service, 'replaced');
const RULE = { tool: 'bash', pattern: 'git push*', action: 'ask' };
const CONFLICT = { error: 'This was changed since you read it. Read it again, then repeat your change.' };

/**
 * Resources that two people replace at the same time, with two bodies, the first of which empties the
 * resource, and the fields that a GET returns.
 */
const LISTS: [string, string, unknown[], (body: never) => unknown][] = [
  [
    'rules',
    `/api/workspaces/${id}/permissions`,
    [{ rules: [] }, ...['allow', 'ask', 'deny'].map((action) => ({ rules: [{ ...RULE, action }] }))],
    ({ rules }: { rules: (typeof RULE)[] }) => ({
      rules: rules.map(({ tool, pattern, action }) => ({ tool, pattern, action })),
    }),
  ],
  [
    'members',
    `/api/workspaces/${id}/members`,
    [
      [],
      ...['viewer', 'member', 'admin'].map((role) => [
        { subject: 'ann', role },
        { group: 'owls', role: 'admin' },
      ]),
    ],
    (members: unknown) => members,
  ],
  [
    'budgets',
    '/api/budgets',
    [[], ...[1, 2, 3].map((monthlyUsd) => [{ scope: 'workspace', id, monthlyUsd }])],
    (budgets: { scope: string; id: string; monthlyUsd: number }[]) =>
      budgets.map(({ scope, id: of, monthlyUsd }) => ({ scope, id: of, monthlyUsd })),
  ],
];

describe.each(LISTS)('PUT of %s', (_name, path, [none, first, second, third], kept) => {
  const put = (body: unknown, ifMatch?: string) =>
    service.call('PUT', path, body as object, ifMatch === undefined ? {} : { 'if-match': ifMatch });
  async function get() {
    const { body, headers } = await service.call<never>('GET', path);
    return { state: kept(body), etag: String(headers.etag) };
  }

  it('returns 409 for an outdated ETag, and changes nothing', async () => {
    await put(none);
    const empty = await get();
    const made = await put(first, empty.etag);
    expect(made.status).toBe(200);
    const seen = await get();
    expect(seen).toEqual({ state: first, etag: made.headers.etag });
    expect(await put(second, seen.etag)).toMatchObject({ status: 200 });
    for (const stale of [seen.etag, empty.etag, `W/${seen.etag}`])
      expect(await put(third, stale)).toMatchObject({ status: 409, body: CONFLICT });
    const now = await get();
    expect(now.state).toEqual(second);
    expect(await put(third, `"other", W/${now.etag}`)).toMatchObject({ status: 200 });
    expect((await get()).state).toEqual(third);
  });

  it('replaces the resource without an ETag, or with *', async () => {
    expect(await put(first)).toMatchObject({ status: 200 });
    expect(await put(second, '*')).toMatchObject({ status: 200 });
    expect((await get()).state).toEqual(second);
  });

  it('returns 400 for a malformed ETag', async () => {
    for (const text of ['1', '"a', 'a"', '"a" "b"', ','])
      expect(await put(first, text)).toMatchObject({
        status: 400,
        body: { error: 'if-match must be the quoted ETag of the version that you read.' },
      });
  });

  it('lets one of many concurrent requests succeed', async () => {
    await put(none);
    const { etag } = await get();
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(third, etag)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await get()).state).toEqual(third);
  });
});
