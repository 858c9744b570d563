import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import type { DescribedTable } from '../../../lib/evidence/request-schema.ts';
import type { WorkspaceSource } from '../../../lib/sources/schema.ts';
import { readStream, waitForRun } from '../../support/agent-client.ts';
import { inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { fillLibrary, startFakeZotero } from '../../support/fakes/fake-zotero.ts';
import { startService } from '../../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

const provider = await startFakeOpenai();
whenDone(() => provider.stop());
const zotero = await startFakeZotero();
const service = await startService({ PROVIDER_A_BASE_URL: provider.url, ZOTERO_BASE_URL: zotero.url });

interface Row {
  partition: string;
  sort: string;
  value: string;
  expires_at: number | null;
}

function readRows(): Row[] {
  const database = new DatabaseSync(join(service.dataDir, 'service.sqlite'), { readOnly: true });
  try {
    return database
      .prepare('SELECT partition, sort, value, expires_at FROM records')
      .all() as unknown as Row[];
  } finally {
    database.close();
  }
}

function nameOf({ partition, sort }: Row): string {
  return `${partition} ${sort}`;
}

/**
 * Returns the records in the store that contain an ID, except for records that are kept on purpose (`but`:
 * prefixes of partitions).
 */
function recordsOf(id: string, but: string[] = []): string[] {
  return readRows()
    .filter((row) => `${nameOf(row)} ${row.value}`.includes(id))
    .filter(({ partition }) => !but.some((beginning) => partition.startsWith(beginning)))
    .map(nameOf);
}

/**
 * Returns the records that stay until they are deleted, whatever they refer to, without the tick's record,
 * which refers to nothing.
 */
function lastingRecords(): string[] {
  return readRows()
    .filter(({ expires_at: expiresAt, partition }) => expiresAt === null && partition !== 'INDEX_RENEWAL')
    .map(nameOf)
    .sort();
}

/** The events of a finished run stay for 30 days. */
function framesAndChats(): string[] {
  return readRows()
    .filter(({ partition }) => /CONVERSATION|FRAMES/.test(partition))
    .map(nameOf)
    .sort();
}

/** Syncs, and waits for the activity that is recorded after the sync. */
async function syncToItsActivity(workspaceId: string): Promise<void> {
  await syncWorkspace(service, workspaceId);
  await eventually(
    async () => readRows().filter(({ partition }) => partition === `ACTIVITY#${workspaceId}`),
    (rows) => rows.some(({ value }) => value.includes('"kind":"sync"')),
  );
}

async function make(path: string, body: unknown): Promise<string> {
  const answer = await service.call<{ id: string }>('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.id;
}

async function syncedSource(workspaceId: string): Promise<void> {
  fillLibrary(zotero, 2);
  const path = `/api/workspaces/${workspaceId}/sources`;
  const id = await make(path, { name: 'Zotero', kind: 'zotero', config: { apiKey: zotero.apiKey } });
  expect((await service.call('POST', `${path}/${id}/sync`)).status).toBe(202);
  await eventually(
    async () => (await service.call<WorkspaceSource>('GET', `${path}/${id}`)).body,
    ({ lastRun }) => lastRun?.status === 'success',
  );
}

/** The answers of the model are no JSON, so the table has failed cells. */
async function followedTable(workspaceId: string): Promise<void> {
  const columns = [{ name: 'Prey', question: 'What do owls eat?', type: 'text' }];
  const body = { workspaceId, name: 'Owls', rows: { glob: '*.md' }, columns, followNew: true };
  const created = await service.call<{ tableId: string; runId: string }>(
    'POST',
    '/api/evidence-tables',
    body,
  );
  expect(created.status).toBe(202);
  await waitForRun(service, created.body.runId, 'done');
  const path = `/api/evidence-tables/${created.body.tableId}`;
  const { body: table } = await service.call<DescribedTable>('GET', path);
  const cell = { path: 'a.md', columnId: table.columns[0]?.id, value: 'mice' };
  expect((await service.call('PATCH', path, { cells: [cell] })).status).toBe(200);
}

async function changedNote(workspaceId: string): Promise<string> {
  const id = await make('/api/notes', { workspaceId, title: 'One', content: 'first' });
  const changed = await service.call('PUT', `/api/notes/${id}`, { title: 'Two', content: 'second' });
  expect(changed.status).toBe(200);
  return id;
}

async function keptChat(workspaceId: string, id: string): Promise<void> {
  for (const content of ['How do owls hunt?', 'And when?']) {
    const file = { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,at%20night' };
    const messages = [{ role: 'user', parts: [file, { type: 'text', text: content }] }];
    const answer = await service.call('POST', '/api/chat', { workspaceId, id, messages });
    expect(answer.status).toBe(200);
  }
  const shared = await service.call('PUT', `/api/conversations/${id}`, { shared: true });
  expect(shared.status).toBe(200);
  const { body } = await service.call<{ messages: { id: string }[] }>('GET', `/api/conversations/${id}`);
  const path = `/api/conversations/${id}/messages/${body.messages[1]?.id}/feedback`;
  expect((await service.call('PUT', path, { rating: 'up' })).status).toBe(200);
}

/** A run that changed a file and was undone: the replaced content is kept for another undo. */
async function undoneRun(workspaceId: string): Promise<void> {
  const answer = provider.answer;
  const call = { name: 'writeFile', input: { path: 'a.md', content: 'Mice hide.' } };
  provider.answer = inTurn({ calls: [call] }, 'Done.');
  const messages = [{ role: 'user', content: 'Write it.' }];
  const { headers, done } = await readStream(service, '/api/agent', {
    body: { workspaceId, cwd: '', messages },
  });
  provider.answer = answer;
  expect(done).toBe(true);
  const runId = headers.get('x-run-id');
  const undone = await service.call<{ undoneAt: string | null }>('POST', `/api/agent/runs/${runId}/undo`, {});
  expect([undone.status, undone.body.undoneAt]).toEqual([200, expect.any(String)]);
  expect(await keptCopies(workspaceId)).not.toEqual([]);
}

async function keptCopies(workspaceId: string): Promise<string[]> {
  return (await readdir(join(service.dataDir, 'undo')).catch(() => [])).filter((name) =>
    name.includes(workspaceId),
  );
}

async function attachmentsOf(workspaceId: string): Promise<string[]> {
  const folder = join(service.dataDir, 'objects', 'attachments', workspaceId);
  return readdir(folder).catch(() => []);
}

describe('deletion', () => {
  it('removes every record of a note and everything derived from it', async () => {
    const workspaceId = await createWorkspace(service, 'notes');
    const before = lastingRecords();
    const id = await changedNote(workspaceId);
    expect(recordsOf(id).length).toBeGreaterThan(0);
    expect((await service.call('DELETE', `/api/notes/${id}`)).status).toBe(200);
    // The activity is kept, because reports are written from it.
    expect(recordsOf(id, ['ACTIVITY#', 'AUDIT'])).toEqual([]);
    expect(lastingRecords()).toEqual(before);
  });

  it('removes every record of a conversation', async () => {
    const workspaceId = await createWorkspace(service, 'chats');
    const before = lastingRecords();
    const framesBefore = framesAndChats();
    await keptChat(workspaceId, 'a-chat');
    expect(recordsOf('a-chat').length).toBeGreaterThan(1);
    expect(await attachmentsOf(workspaceId)).toHaveLength(1);
    expect((await service.call('DELETE', '/api/conversations/a-chat')).status).toBe(200);
    expect(recordsOf('a-chat', ['AUDIT'])).toEqual([]);
    expect(await attachmentsOf(workspaceId)).toEqual([]);
    expect(framesAndChats()).toEqual(framesBefore);
    expect(lastingRecords()).toEqual(before);
  });

  it('of a workspace removes its indexed files, notes, conversations, runs, skills, and tasks', async () => {
    const before = lastingRecords();
    const framesBefore = framesAndChats();
    const workspaceId = await createWorkspace(service, 'everything');
    const file = { workspaceId, path: 'a.md', content: '# Owls\n\nOwls hunt at night.' };
    expect((await service.call('POST', '/api/files/write', file)).status).toBe(200);
    await syncToItsActivity(workspaceId);
    await changedNote(workspaceId);
    await keptChat(workspaceId, 'another-chat');
    await undoneRun(workspaceId);
    await make(`/api/memories?scope=workspace&workspaceId=${workspaceId}`, { text: 'Owls are protected.' });
    await make('/api/skills', { workspaceId, name: 'Review', systemPrompt: 'Review.' });
    await make('/api/scheduled-tasks', {
      ...{ name: 'Sync', taskType: 'git_sync', schedule: '0 0 1 1 *', workspaceId },
    });
    const rules = [{ tool: 'bash', pattern: 'ls *', action: 'ask' }];
    await service.call('PUT', `/api/workspaces/${workspaceId}/permissions`, { rules });
    const server = { name: 'far', url: 'https://93.184.216.34/mcp', headers: { authorization: 'Bearer x' } };
    await make(`/api/workspaces/${workspaceId}/mcp-servers`, server);
    await syncedSource(workspaceId);
    await followedTable(workspaceId);
    expect(recordsOf(workspaceId).length).toBeGreaterThan(10);
    expect((await service.call('DELETE', `/api/workspaces/${workspaceId}`)).status).toBe(200);
    // Workers remove the index and the runs. Usage and the audit log are removed after a year.
    await eventually(
      async () => recordsOf(workspaceId, ['USE', 'AUDIT', 'RUN_ERASURES']),
      (left) => left.length === 0,
    );
    expect(framesAndChats()).toEqual(framesBefore);
    expect(await attachmentsOf(workspaceId)).toEqual([]);
    expect(await keptCopies(workspaceId)).toEqual([]);
    expect(lastingRecords()).toEqual(before);
  });

  it('removes every record of the example: its conversation, its report, and the evidence of both', async () => {
    const before = lastingRecords();
    const workspaceId = await make('/api/workspaces/example', { language: 'en' });
    await syncToItsActivity(workspaceId);
    expect(recordsOf(workspaceId).length).toBeGreaterThan(10);
    expect((await service.call('DELETE', `/api/workspaces/${workspaceId}`)).status).toBe(200);
    await eventually(
      async () => recordsOf(workspaceId, ['USE', 'AUDIT', 'RUN_ERASURES']),
      (left) => left.length === 0,
    );
    expect(lastingRecords()).toEqual(before);
  });
});
