import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Activity } from '../../../lib/activity/schema.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const provider = await startFakeOpenai();
whenDone(() => provider.stop());
const service = await startService({ PROVIDER_A_BASE_URL: provider.url });
const UNKNOWN = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';

function list(workspaceId: string, query = '') {
  return service.call<Activity[]>('GET', `/api/workspaces/${workspaceId}/activity${query}`);
}

async function did(workspaceId: string) {
  return (await list(workspaceId)).body.map(({ kind, summary }) => [kind, summary]).reverse();
}

describe('GET /api/workspaces/{workspaceId}/activity', () => {
  it('lists every successful change of files, and no failed changes', async () => {
    const { id } = await makeWorkspace(service);
    const files = (method: string, name: string, body: unknown) =>
      service.call(method, `/api/files/${name}`, body);
    const form = new FormData();
    form.append('workspaceId', id);
    form.append('path', 'docs/');
    form.append('file', new Blob(['four']), 'up.txt');
    await files('POST', 'write', { workspaceId: id, path: 'a.md', content: 'abc' });
    await files('POST', 'upload', form);
    await files('POST', 'mkdir', { workspaceId: id, path: 'more/deep' });
    await files('POST', 'mkdir', { workspaceId: id, path: 'more/deep' });
    await files('POST', 'rename', { workspaceId: id, oldPath: 'a.md', newPath: 'b.md' });
    await files('DELETE', 'delete', { workspaceId: id, path: 'docs' });
    await files('DELETE', 'delete', { workspaceId: id, path: 'docs' });
    await files('POST', 'write', { workspaceId: id, path: '../a', content: '' });
    expect(await did(id)).toEqual([
      ['file_written', 'Wrote a.md'],
      ['file_uploaded', 'Uploaded docs/up.txt'],
      ['directory_made', 'Made the directory more/deep'],
      ['file_moved', 'Moved a.md to b.md'],
      ['file_deleted', 'Deleted docs'],
    ]);
    expect((await list(id)).body.at(-1)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspaceId: id,
      kind: 'file_written',
      actor: 'local',
      summary: 'Wrote a.md',
      details: { path: 'a.md', size: 3 },
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  it('lists a large upload once it is complete, under the user who started it', async () => {
    const { id } = await makeWorkspace(service);
    const { body } = await service.call<{ url: string; headers: Record<string, string> }>(
      'POST',
      '/api/files/uploads',
      { workspaceId: id, path: 'big.bin', size: 3 },
    );
    expect(await did(id)).toEqual([]);
    await fetch(body.url, { method: 'PUT', body: 'abc', headers: body.headers });
    const [uploaded] = await eventually(
      async () => (await list(id)).body,
      (found) => found.length > 0,
    );
    expect(uploaded).toMatchObject({
      kind: 'file_uploaded',
      actor: 'local',
      details: { path: 'big.bin', size: 3 },
    });
  });

  it('lists syncs with their counts, questions, and agent runs', async () => {
    const { id, root } = await makeWorkspace(service);
    await writeFile(join(root, 'a.md'), '# A\n\nOwls hunt mice at night in the woods.\n');
    await writeFile(join(root, 'b.bin'), Buffer.from([0, 1, 2]));
    await syncWorkspace(service, id);
    const question = { role: 'user', content: 'What do owls\nhunt?' };
    await service.call('POST', '/api/chat', { workspaceId: id, messages: [question] });
    await service.call('POST', '/api/agent', {
      workspaceId: id,
      messages: [{ role: 'user', content: `Say more. ${'long '.repeat(100)}` }],
      cwd: '',
      mode: 'ask',
    });
    const found = await eventually(
      async () => (await list(id)).body,
      (some) => some.length === 3,
    );
    const [run, chat, sync] = found;
    expect(sync).toMatchObject({
      kind: 'sync',
      actor: 'service',
      summary: 'Synced 1 files: 1 new, 0 updated, 0 removed, 0 failed',
      details: { total: 1, newCount: 1 },
    });
    expect(chat).toMatchObject({
      kind: 'chat',
      actor: 'local',
      summary: 'Asked: What do owls hunt?',
      details: { citations: 1 },
    });
    expect(run).toMatchObject({
      kind: 'agent_run',
      actor: 'local',
      details: { mode: 'ask', status: 'done' },
    });
    expect(run?.summary).toMatch(/^Agent run \(ask\) done after 1 steps: Say more\. long long .*…$/);
    expect(run?.summary.length).toBeLessThanOrEqual(300);
  });

  it('lists notes, and commands without their arguments', async () => {
    const { id } = await makeWorkspace(service);
    const note = { workspaceId: id, title: 'Plan' };
    const made = (await service.call<{ id: string }>('POST', '/api/notes', note)).body;
    await service.call('PUT', `/api/notes/${made.id}`, { title: 'New plan' });
    await service.call('DELETE', `/api/notes/${made.id}`);
    const { rootPath } = (await service.call<{ rootPath: string }>('GET', `/api/workspaces/${id}`)).body;
    for (const command of ['git status sk-secret', 'TOKEN=sk-secret ls', 'echo sk-secret', '"sk-secret" x'])
      await service.call('POST', '/api/terminal/exec', { command, cwd: rootPath });
    expect(await did(id)).toEqual([
      ['note_created', 'Made the note "Plan"'],
      ['note_changed', 'Changed the note "New plan"'],
      ['note_deleted', 'Deleted the note "New plan"'],
      ['command', 'Ran git status'],
      ['command', 'Ran TOKEN'],
      ['command', 'Ran echo'],
      ['command', 'Ran a command'],
    ]);
    expect((await list(id)).bytes.toString()).not.toContain('secret');
  });

  it('returns pages newest first, with each entry once', async () => {
    const { id } = await makeWorkspace(service);
    const paths = Array.from({ length: 7 }, (_, index) => `f${index}`);
    for (const path of paths) await service.call('POST', '/api/files/mkdir', { workspaceId: id, path });
    const seen: unknown[] = [];
    let query = '?limit=3';
    for (let page = 0; page < 9; page++) {
      const answer = await list(id, query);
      seen.push(...answer.body.map(({ details }) => details.path));
      const cursor = answer.headers['x-next-cursor'];
      if (cursor === undefined) break;
      query = `?limit=3&cursor=${encodeURIComponent(String(cursor))}`;
    }
    expect(seen).toEqual(paths.toReversed());
  });

  it('is deleted with its workspace', async () => {
    const { id, root } = await makeWorkspace(service);
    await service.call('POST', '/api/files/mkdir', { workspaceId: id, path: 'x' });
    await service.call('DELETE', `/api/workspaces/${id}`);
    expect((await list(id)).status).toBe(404);
    const again = await service.call<{ id: string }>('POST', '/api/workspaces', { path: root });
    expect(await did(again.body.id)).toEqual([]);
  });

  it.each([
    [UNKNOWN, '', 404, 'workspace'],
    ['made', '?limit=0', 400, 'limit'],
    ['made', '?limit=1001', 400, 'limit'],
    ['made', '?cursor=!!!', 400, 'cursor'],
  ])('rejects %s%s', async (id, query, status, named) => {
    const workspaceId = id === 'made' ? (await makeWorkspace(service)).id : id;
    expect(await list(workspaceId, query)).toMatchObject({
      status,
      body: { error: expect.stringContaining(named) },
    });
  });
});
