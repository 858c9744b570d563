import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeCaller, type TestCaller } from '../support/callers.ts';
import { startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

const service = await startService({ AUTH_MODE: 'token' });
const admin = await makeCaller(service, 'admin');

interface Started {
  uploadId: string;
  url: string;
  headers: Record<string, string>;
}

/** A workspace, and a member who has the URL for an upload into it. */
async function begin(path = 'late.txt') {
  const { id, root } = await makeWorkspace(admin);
  const member = await makeCaller(service, 'member');
  const { body } = await member.call<Started>('POST', '/api/files/uploads', {
    workspaceId: id,
    path,
    size: 4,
  });
  return { id, root, member, upload: body };
}

/** Sends the bytes, and waits for the worker's result. */
async function finish({ uploadId, url, headers }: Started): Promise<{ status: string; error?: string }> {
  const { status } = await service.call('PUT', url.slice(service.url.length), Buffer.from('late'), headers);
  expect(status).toBe(200);
  for (let turn = 0; turn < 600; turn++) {
    const { body } = await admin.call<{ status: string; error?: string }>(
      'GET',
      `/api/files/uploads/${uploadId}`,
    );
    if (body.status === 'done' || body.status === 'failed') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the upload never ended');
}

const LOSSES: [string, (place: { id: string; member: TestCaller }) => Promise<{ status: number }>, RegExp][] =
  [
    ['revoked', ({ member }) => admin.call('DELETE', `/api/tokens/${member.id}`), /revoked/],
    [
      'removed from the member list',
      ({ id }) => admin.call('PUT', `/api/workspaces/${id}/members`, [{ subject: admin.id, role: 'admin' }]),
      /no longer a member/,
    ],
    [
      'made a viewer there',
      ({ id, member }) =>
        admin.call('PUT', `/api/workspaces/${id}/members`, [
          { subject: admin.id, role: 'admin' },
          { subject: member.id, role: 'viewer' },
        ]),
      /no longer has the member role/,
    ],
  ];

describe('upload URL', () => {
  it('stores the file of a member', async () => {
    const { root, upload } = await begin();
    expect(await finish(upload)).toEqual({ status: 'done' });
    expect(await readdir(root)).toEqual(['late.txt']);
  });

  it.each(LOSSES)('stores nothing for a user who was %s since then', async (_what, lose, words) => {
    const place = await begin();
    expect((await lose(place)).status).toBe(200);
    expect(await finish(place.upload)).toEqual({ status: 'failed', error: expect.stringMatching(words) });
    expect(await readdir(place.root)).toEqual([]);
  });

  it('stores nothing in a dataset that was linked there since then', async () => {
    const { id, root, upload } = await begin('datasets/owls/late.txt');
    const other = await makeWorkspace(admin);
    await mkdir(join(other.root, 'data'));
    const { body } = await admin.call<{ id: string }>('POST', '/api/datasets/import-local', {
      localPath: join(other.root, 'data'),
      name: 'owls',
    });
    const linked = await admin.call('POST', `/api/datasets/${body.id}/workspaces`, { workspaceId: id });
    expect(linked.status).toBe(201);
    expect(await finish(upload)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('linked dataset'),
    });
    expect(await readdir(root)).toEqual([]);
  });
});
