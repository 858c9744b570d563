import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../../support/sync.ts';

const service = await startService();

interface Row {
  partition: string;
  sort: string;
  value: string;
}

/** What the store still says of an id, but for what is kept on purpose (`but`: beginnings of partitions). */
function recordsOf(id: string, but: string[] = []): string[] {
  const database = new DatabaseSync(join(service.dataDir, 'service.sqlite'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT partition, sort, value FROM records').all() as unknown as Row[];
    return rows
      .filter(({ partition, sort, value }) => `${partition} ${sort} ${value}`.includes(id))
      .filter(({ partition }) => !but.some((beginning) => partition.startsWith(beginning)))
      .map(({ partition, sort }) => `${partition} ${sort}`);
  } finally {
    database.close();
  }
}

async function make(path: string, body: unknown): Promise<string> {
  const answer = await service.call<{ id: string }>('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.id;
}

async function changedNote(workspaceId: string): Promise<string> {
  const id = await make('/api/notes', { workspaceId, title: 'One', content: 'first' });
  const changed = await service.call('PUT', `/api/notes/${id}`, { title: 'Two', content: 'second' });
  expect(changed.status).toBe(200);
  return id;
}

describe('what is deleted leaves no record behind', () => {
  it('of a note, whatever was made of it', async () => {
    const workspaceId = await createWorkspace(service, 'notes');
    const id = await changedNote(workspaceId);
    expect(recordsOf(id).length).toBeGreaterThan(0);
    expect((await service.call('DELETE', `/api/notes/${id}`)).status).toBe(200);
    // What happened is kept: reports are written from it.
    expect(recordsOf(id, ['ACTIVITY#'])).toEqual([]);
  });

  it('of a workspace, whatever any area keeps for it', async () => {
    const workspaceId = await createWorkspace(service, 'everything');
    const file = { workspaceId, path: 'a.md', content: '# Owls\n\nOwls hunt at night.' };
    expect((await service.call('POST', '/api/files/write', file)).status).toBe(200);
    await syncWorkspace(service, workspaceId);
    await changedNote(workspaceId);
    await make('/api/skills', { workspaceId, name: 'Review', systemPrompt: 'Review.' });
    await make('/api/scheduled-tasks', {
      ...{ name: 'Sync', taskType: 'git_sync', schedule: '0 0 1 1 *', workspaceId },
    });
    expect(recordsOf(workspaceId).length).toBeGreaterThan(8);
    expect((await service.call('DELETE', `/api/workspaces/${workspaceId}`)).status).toBe(200);
    // The index goes in the worker.
    await eventually(
      async () => recordsOf(workspaceId),
      (left) => left.length === 0,
    );
  });
});
