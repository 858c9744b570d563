import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readStream, waitForRun } from '../../support/agent-client.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

/** `npm run test:long` uses 50 kills. */
const KILLS = Number(process.env.KILLS ?? 3);
const MOST_MS = 900;
const STEPS = 4;

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startFakeOpenai({ answer: nextAnswer, paceMs: 5 });
  whenDone(() => provider.stop());
  env = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-secret', DATA_DIR: await tempFolder() };
  service = await startService(env);
  workspace = await makeWorkspace(service);
  const rules = [{ tool: 'bash', pattern: '*', action: 'allow' }];
  await service.call('PUT', `/api/workspaces/${workspace.id}/permissions`, { rules });
});

/** Each step runs a command that no other step runs. After some steps, the model is finished. */
let commands = 0;
function nextAnswer() {
  commands += 1;
  if (commands % STEPS === 0) return 'Done.';
  return { calls: [{ name: 'bash', input: { command: `echo run-${commands} >> log.txt` } }] };
}

interface Sent {
  runId: string;
  id: string;
  text: string;
}

/** Sends messages to the run until the service is killed, and returns those that the service accepted. */
async function steer(runId: string, isOver: () => boolean): Promise<Sent[]> {
  const accepted: Sent[] = [];
  while (!isOver()) {
    const text = `message ${randomUUID()}`;
    const answer = await service
      .call<{ id: string }>('POST', `/api/agent/runs/${runId}/messages`, { text })
      .catch(() => undefined);
    if (answer?.status === 202) accepted.push({ runId, id: answer.body.id, text });
    await pause(20 + Math.random() * 60);
  }
  return accepted;
}

function ask(id: string, text: string) {
  const messages = [{ role: 'user', content: text }];
  const body = { workspaceId: workspace.id, cwd: '', id, messages };
  return readStream(service, '/api/agent', { body, leave: ({ frames }) => frames.length > 0 });
}

async function killDuringRun(conversationId: string): Promise<Sent[]> {
  const { headers } = await ask(conversationId, `Go on ${randomUUID()}.`);
  const runId = headers.get('x-run-id') ?? '';
  let isKilled = false;
  const steering = steer(runId, () => isKilled);
  await pause(Math.random() * MOST_MS);
  await service.kill();
  isKilled = true;
  const accepted = await steering;
  service = await startService(env);
  await waitForRun(service, runId, 'done', 'failed');
  return accepted;
}

interface Kept {
  messages: {
    id: string;
    role: string;
    parts: { type: string; id?: string; text?: string; data?: unknown }[];
  }[];
}

/** Returns the texts of accepted messages that are missing from both the conversation and the queue. */
async function findLost(conversationId: string, accepted: Sent[]): Promise<string[]> {
  const { body } = await service.call<Kept>('GET', `/api/conversations/${conversationId}`);
  const stored = body.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data-user-message' ? [part.id] : [])),
  );
  const queued = await Promise.all(
    [...new Set(accepted.map(({ runId }) => runId))].map(async (runId) => {
      const path = `/api/agent/runs/${runId}/messages`;
      const { body: all } = await service.call<{ id: string; state: string }[]>('GET', path);
      return all.filter(({ state }) => state === 'queued').map(({ id }) => id);
    }),
  );
  const known = new Set<string | undefined>([...stored, ...queued.flat()]);
  return accepted.filter(({ id }) => !known.has(id)).map(({ text }) => text);
}

describe(`agent's conversation with ${KILLS} kills`, () => {
  it('loses no request and no message, and runs no command twice', async () => {
    const conversationId = randomUUID();
    const accepted: Sent[] = [];
    for (let kill = 0; kill < KILLS; kill++) accepted.push(...(await killDuringRun(conversationId)));
    // On a slow host, each kill may come before the first command.
    const { headers } = await ask(conversationId, 'Finish.');
    await waitForRun(service, headers.get('x-run-id') ?? '', 'done');
    expect(accepted.length).toBeGreaterThan(0);
    expect(await findLost(conversationId, accepted)).toEqual([]);
    const { body } = await service.call<Kept>('GET', `/api/conversations/${conversationId}`);
    expect(body.messages.filter(({ role }) => role === 'user')).toHaveLength(KILLS + 1);
    const log = await readFile(join(workspace.root, 'log.txt'), 'utf8').catch(() => '');
    const lines = log.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
