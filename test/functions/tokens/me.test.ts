import { expect, it } from '@jest/globals';
import { makeCaller } from '../../support/callers.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService({ AUTH_MODE: 'token' });
const admin = await makeCaller(service, 'admin');
const member = await makeCaller(service, 'member');
const { id } = await makeWorkspace(admin);
// The workspace's member list, which gives the member a lower role than their own.
await admin.call('PUT', `/api/workspaces/${id}/members`, [
  { subject: member.id, role: 'viewer' },
  { subject: admin.id, role: 'admin' },
]);

it('GET /api/me returns the caller with the role', async () => {
  expect((await member.call('GET', '/api/me')).body).toEqual({
    id: member.id,
    role: 'member',
    workspaceIds: null,
  });
});

it('GET /api/me returns when a token expires, and its workspaces', async () => {
  const bound = await makeCaller(service, 'viewer', '--workspaces', id, '--expires', '2099-01-01T00:00:00Z');
  expect((await bound.call('GET', '/api/me')).body).toMatchObject({
    workspaceIds: [id],
    expiresAt: expect.stringMatching(/^2099-01-01T/),
  });
});

it('GET /api/me returns the role from the member list of a workspace', async () => {
  expect((await member.call('GET', `/api/me?workspaceId=${id}`)).body).toMatchObject({ role: 'viewer' });
  expect((await member.call('GET', '/api/me')).body).toMatchObject({ role: 'member' });
});

it.each([
  ['a missing workspace', 'workspaceId=none', 404],
  ['a malformed ID', 'workspaceId=', 400],
])('GET /api/me rejects %s', async (_what, query, status) => {
  expect((await member.call('GET', `/api/me?${query}`)).status).toBe(status);
});

it("GET /api/me doesn't reveal the member list to callers who aren't on it", async () => {
  const other = await makeCaller(service, 'member');
  expect((await other.call('GET', `/api/me?workspaceId=${id}`)).status).toBe(403);
});
