import { expect, it } from '@jest/globals';
import { makeCaller } from '../../support/callers.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService({ AUTH_MODE: 'token' });
const admin = await makeCaller(service, 'admin');
const member = await makeCaller(service, 'member');
const { id } = await makeWorkspace(admin);
// The list of its members, which leaves the member less than their own role.
await admin.call('PUT', `/api/workspaces/${id}/members`, [
  { subject: member.id, role: 'viewer' },
  { subject: admin.id, role: 'admin' },
]);

it('says who calls, with which role', async () => {
  expect((await member.call('GET', '/api/me')).body).toEqual({
    id: member.id,
    role: 'member',
    workspaceIds: null,
  });
});

it('says when a credential ends, and for which workspaces it is', async () => {
  const bound = await makeCaller(service, 'viewer', '--workspaces', id, '--expires', '2099-01-01T00:00:00Z');
  expect((await bound.call('GET', '/api/me')).body).toMatchObject({
    workspaceIds: [id],
    expiresAt: expect.stringMatching(/^2099-01-01T/),
  });
});

it('says the role that the list of a workspace leaves', async () => {
  expect((await member.call('GET', `/api/me?workspaceId=${id}`)).body).toMatchObject({ role: 'viewer' });
  expect((await member.call('GET', '/api/me')).body).toMatchObject({ role: 'member' });
});

it.each([
  ['a workspace that is not there', 'workspaceId=none', 404],
  ['no id', 'workspaceId=', 400],
])('refuses %s', async (_what, query, status) => {
  expect((await member.call('GET', `/api/me?${query}`)).status).toBe(status);
});

it('leaves the list closed for callers whom it does not name', async () => {
  const other = await makeCaller(service, 'member');
  expect((await other.call('GET', `/api/me?workspaceId=${id}`)).status).toBe(403);
});
