import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { monthPartition, monthsOfUse, type UseKind, type UseOfMonth } from '../../../lib/usage/schema.ts';
import { type FakeOpenai, inTurn } from '../../support/fakes/fake-openai.ts';
import { ABOUT_OWLS, startWithOwls } from '../../support/samples/owls.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { sumOf, usesToday } from '../../support/uses.ts';
import type { TestWorkspace } from '../../support/workspace.ts';

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  ({ provider, service, workspace } = await startWithOwls());
});

const messages = ABOUT_OWLS;
const chat = () => service.call('POST', '/api/chat', { workspaceId: workspace.id, messages });
const EMBEDDER = 'text-embedding-3-small';

/** Returns the usage of one kind and model. It's read once, because it's stored when the answer has ended. */
async function usedFor(kind: UseKind, model = 'm') {
  const uses = (await usesToday(service.dataDir)).filter((use) => use.kind === kind && use.model === model);
  expect(uses.length).toBeLessThan(2);
  return uses[0];
}

async function monthOf(scope: UseOfMonth['scope'], id: string): Promise<UseOfMonth[]> {
  const month = new Date().toISOString().slice(0, 7);
  const query = { partition: monthPartition({ month, scope, id }) };
  return (await monthsOfUse.list(sqliteRecords(openDatabase(service.dataDir)), query)).items;
}

describe('usage', () => {
  it('includes the embeddings of a sync, counted for the service', async () => {
    expect(await usedFor('embedding', EMBEDDER)).toMatchObject({
      ...{ callerId: 'service', workspaceId: workspace.id, calls: 1 },
      ...{ embeddedTexts: 1, embeddedTokens: 1, estimatedTokens: 0 },
    });
  });

  it('includes a search', async () => {
    await service.call('GET', `/api/workspaces/${workspace.id}/search?q=night+birds`);
    expect(await usedFor('search', EMBEDDER)).toMatchObject({
      callerId: 'local',
      calls: 1,
      embeddedTexts: 1,
    });
  });

  it('is exact after fifty concurrent chats', async () => {
    provider.answer = () => ['At ', 'night.'];
    const answers = await Promise.all(Array.from({ length: 50 }, chat));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const workspaceId = workspace.id;
    expect(await usedFor('chat')).toMatchObject({
      ...{ callerId: 'local', workspaceId, calls: 50, inputTokens: 5000, outputTokens: 100 },
      ...{ embeddedTokens: 0, estimatedTokens: 0, commandMs: 0 },
    });
    expect(await usedFor('chat', EMBEDDER)).toMatchObject({ calls: 50, embeddedTexts: 50 });
    for (const months of [await monthOf('service', 'service'), await monthOf('workspace', workspaceId)]) {
      expect(months.find(({ model }) => model === 'm')).toMatchObject({ calls: 50, inputTokens: 5000 });
      expect(sumOf(months, 'embeddedTexts')).toBe(52);
    }
    expect(sumOf(await monthOf('caller', 'local'), 'embeddedTexts')).toBe(51);
  });

  it('includes each step of the agent, and the work of its tools', async () => {
    const search = { name: 'searchWorkspace', input: { query: 'owls' } };
    const command = { name: 'bash', input: { command: 'sleep 0.05' } };
    provider.answer = inTurn({ calls: [search, command] }, 'Done.');
    const body = { workspaceId: workspace.id, cwd: '', mode: 'agent', messages };
    expect((await service.call('POST', '/api/agent', body)).status).toBe(200);
    expect(await usedFor('agent')).toMatchObject({ callerId: 'local', calls: 2, inputTokens: 200 });
    expect(await usedFor('agent', EMBEDDER)).toMatchObject({ calls: 1, embeddedTexts: 1 });
    const commands = await usedFor('agent', '');
    expect(commands).toMatchObject({ calls: 1, inputTokens: 0 });
    if (service.output().includes('no sandbox')) return; // without a sandbox, the command was denied
    expect(commands?.commandMs).toBeGreaterThanOrEqual(50);
  });

  it('includes a condensed conversation, and notes', async () => {
    provider.answer = () => 'A summary [1].';
    const before = await usedFor('agent');
    const conversation = messages.map(({ role, content }) => ({
      role,
      parts: [{ type: 'text', text: content }],
    }));
    const body = { workspaceId: workspace.id, preview: true, messages: conversation };
    expect((await service.call('POST', '/api/agent/summarize', body)).status).toBe(200);
    expect((await usedFor('agent'))?.calls).toBe((before?.calls ?? 0) + 1);
    const note = { workspaceId: workspace.id, type: 'summary' };
    expect((await service.call('POST', '/api/generate', note)).status).toBe(201);
    expect((await usedFor('generate'))?.calls).toBe(1);
    const day = { workspaceId: workspace.id };
    expect((await service.call('POST', '/api/daily-report', day)).status).toBe(201);
    expect(await usedFor('generate')).toMatchObject({ calls: 2, inputTokens: 200 });
  });

  it('includes a task, as usage of the person who saved it', async () => {
    provider.answer = () => 'All well.';
    const task = { name: 't', taskType: 'custom', schedule: '0 3 * * *', workspaceId: workspace.id };
    const made = await service.call<{ id: string }>('POST', '/api/scheduled-tasks', {
      ...task,
      config: { prompt: 'Look.' },
    });
    await service.call('POST', `/api/scheduled-tasks/${made.body.id}/run`);
    expect(await eventually(() => usedFor('tasks'), Boolean)).toMatchObject({ callerId: 'local', calls: 1 });
  });

  it('includes the terminal, in milliseconds', async () => {
    const body = { command: 'sleep 0.05', cwd: workspace.root };
    const { status } = await service.call('POST', '/api/terminal/exec', body);
    const used = await usedFor('terminal', '');
    expect(used).toMatchObject({ callerId: 'local', workspaceId: workspace.id, calls: 1, inputTokens: 0 });
    if (status === 200) expect(used?.commandMs).toBeGreaterThanOrEqual(50);
  });

  it('is estimated and marked as an estimate if the provider reports no usage or its answer breaks off', async () => {
    const before = await usedFor('chat');
    provider.rawChunks = [
      { choices: [{ index: 0, delta: { content: 'x'.repeat(40) }, finish_reason: 'stop' }] },
      '[DONE]',
    ];
    await chat();
    const told = await usedFor('chat');
    expect((told?.outputTokens ?? 0) - (before?.outputTokens ?? 0)).toBe(10);
    const input = (told?.inputTokens ?? 0) - (before?.inputTokens ?? 0);
    expect(input).toBeGreaterThan(100);
    expect(told?.estimatedTokens).toBe(input + 10);
    provider.rawChunks = [{ choices: [{ index: 0, delta: { content: 'x'.repeat(80) } }] }];
    await chat();
    expect(((await usedFor('chat'))?.outputTokens ?? 0) - (told?.outputTokens ?? 0)).toBe(20);
  });

  it('is one call without tokens if there was no answer', async () => {
    provider.rawChunks = undefined;
    provider.failure = 'unauthorized';
    const before = await usedFor('chat');
    await chat();
    provider.failure = undefined;
    expect(await usedFor('chat')).toEqual({ ...before, calls: (before?.calls ?? 0) + 1 });
  });
});

describe('killed service', () => {
  it('counts each answer once, however often its messages are redelivered', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, number) => `# Part ${number}\n\n${'word '.repeat(150)}${number}\n`,
    );
    const before = sumOf(await usesToday(service.dataDir), 'embeddedTexts');
    const answeredBefore = provider.embeddedTexts;
    const held = new Promise<void>((resolve) => {
      let calls = 0;
      provider.beforeVectors = () => {
        if (++calls === 2) resolve();
        return calls >= 2 ? new Promise(() => {}) : Promise.resolve();
      };
    });
    await writeFile(join(workspace.root, 'long.md'), lines.join('\n'));
    await service.call('POST', `/api/workspaces/${workspace.id}/sync`);
    await held;
    await service.kill();
    provider.beforeVectors = undefined;
    const { dataDir } = service;
    service = await startService({
      ...{ DATA_DIR: dataDir, PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'k', LLM_MODEL: 'm' },
    });
    const { status } = await syncWorkspace(service, workspace.id);
    expect(status).toBe('ready');
    const counted = sumOf(await usesToday(dataDir), 'embeddedTexts') - before;
    expect(counted).toBeGreaterThanOrEqual(40);
    expect(counted).toBeLessThanOrEqual(provider.embeddedTexts - answeredBefore);
  });
});
