import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BudgetState } from '../../../lib/usage/budgets/schema.ts';
import type { UsageAnswer } from '../../../lib/usage/report-schema.ts';
import { type FakeOpenai, inTurn } from '../../support/fakes/fake-openai.ts';
import { ABOUT_OWLS, startWithOwls } from '../../support/samples/owls.ts';
import type { Answer, Service } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import type { TestWorkspace } from '../../support/workspace.ts';

/** Usage that the fake reports for an answer: 100 input tokens, and one output token per chunk. */
const PIECES = 1500;
const TOKENS = 100 + PIECES;

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  ({ provider, service, workspace } = await startWithOwls({ LOG_LEVEL: 'error' }));
});

const messages = ABOUT_OWLS;
const chat = () => service.call<string>('POST', '/api/chat', { workspaceId: workspace.id, messages });
const agent = (mode = 'ask') =>
  service.call<string>('POST', '/api/agent', { workspaceId: workspace.id, cwd: '', mode, messages });
const usage = async (query: string) => (await service.call<UsageAnswer>('GET', `/api/usage?${query}`)).body;

async function setBudget(monthlyTokens: number | undefined): Promise<BudgetState | undefined> {
  const budgets =
    monthlyTokens === undefined ? [] : [{ scope: 'workspace', id: workspace.id, monthlyTokens }];
  const { status, body } = await service.call<BudgetState[]>('PUT', '/api/budgets', budgets);
  expect(status).toBe(200);
  return body[0];
}

/** The workspace's usage in this month. */
async function usedInAll(): Promise<number> {
  const row = (await usage('groupBy=workspace')).rows.find(({ key }) => key === workspace.id);
  return (row?.inputTokens ?? 0) + (row?.outputTokens ?? 0) + (row?.embeddedTokens ?? 0);
}

describe('fifty concurrent chats', () => {
  it('exceed a budget at most by the calls in flight, and are then rejected with the name of the budget', async () => {
    provider.answer = () => 'x'.repeat(PIECES).split('');
    const before = (await setBudget(1e6))?.used.tokens ?? 0;
    const limit = before + 12_000;
    await setBudget(limit);
    const answers = await Promise.all(Array.from({ length: 50 }, chat));
    const answered = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - answered.length);
    expect(answered.length).toBeGreaterThan(2);
    const over = (await usedInAll()) - limit;
    expect(over).toBeLessThan(answered.length * (TOKENS - 1000) + TOKENS);
  });

  it('end with an error that says when the budget resets', async () => {
    await setBudget(0);
    const refused = await chat();
    expect([refused.status, refused.headers['content-type']]).toEqual([429, 'application/json']);
    const next = new Date();
    next.setUTCMonth(next.getUTCMonth() + 1, 1);
    expect(refused.body).toEqual({
      error: `The monthly budget of this workspace (0 tokens) is used up. It resets on ${next.toISOString().slice(0, 10)}.`,
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(5);
  });
});

describe('budget that is used up', () => {
  const isUsedUp = (answer: Answer) =>
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([429, expect.stringContaining('used up')]);

  it('rejects the agent, notes, and reports', async () => {
    isUsedUp(await agent());
    const { id: workspaceId } = workspace;
    isUsedUp(await service.call('POST', '/api/generate', { workspaceId, type: 'summary' }));
    isUsedUp(await service.call('POST', '/api/daily-report', { workspaceId }));
  });

  it('still allows keyword search and the settings', async () => {
    const found = await service.call<unknown[]>('GET', `/api/workspaces/${workspace.id}/search?q=owls`);
    expect([found.status, found.body.length]).toEqual([200, 1]);
    expect((await service.call('PUT', '/api/settings', { reportTimezone: null })).status).toBe(200);
  });

  it('stops a sync with the reason, and the next sync embeds the rest', async () => {
    // The index worker has several threads, and each learns of a budget within ten seconds.
    let written = 0;
    const { state } = await eventually(
      async () => {
        await writeFile(join(workspace.root, 'bats.md'), `# Bats\n\nBats hear ${++written} things.\n`);
        const state = await syncWorkspace(service, workspace.id);
        const before = provider.embeddingRequests;
        await syncWorkspace(service, workspace.id);
        return { state, askedAgain: provider.embeddingRequests - before };
      },
      ({ state, askedAgain }) => state.errors.length > 0 && askedAgain === 0,
    );
    expect(state).toMatchObject({
      status: 'ready',
      errors: [
        { path: 'bats.md', error: expect.stringMatching(/^Embedding failed\. .*monthly budget .* used up/) },
      ],
    });
    const embedded: string[] = [];
    provider.beforeVectors = async (texts) => embedded.push(...texts);
    await setBudget(undefined);
    await eventually(
      () => syncWorkspace(service, workspace.id),
      ({ errors }) => errors.length === 0,
    );
    provider.beforeVectors = undefined;
    // A sync on request also embeds a known text, to check whether the model is still the same.
    expect(embedded.filter((text) => !text.startsWith('# Owls'))).toEqual([
      `# Bats\n\nBats hear ${written} things.`,
    ]);
  });

  it('stops a run at its next step, with an explanation', async () => {
    provider.answer = inTurn({ calls: [{ name: 'listDirectory', input: { path: '' } }], text: 'x' }, 'Done.');
    await setBudget((await usedInAll()) + 50);
    const { status, body } = await agent();
    expect(status).toBe(200);
    expect(body).toMatch(/"type":"error","errorText":"The monthly budget of this workspace .* is used up/);
  });

  it('is reported by a task', async () => {
    const task = { name: 't', taskType: 'custom', schedule: '0 3 * * *', workspaceId: workspace.id };
    const body = { ...task, config: { prompt: 'Look.' } };
    const { id } = (await service.call<{ id: string }>('POST', '/api/scheduled-tasks', body)).body;
    await service.call('POST', `/api/scheduled-tasks/${id}/run`);
    type Run = { status: string; error: string | null };
    const [run] = await eventually(
      async () => (await service.call<Run[]>('GET', `/api/scheduled-tasks/${id}/runs`)).body,
      ([latest]) => latest?.status === 'error',
    );
    expect(run?.error).toMatch(/budget of this workspace .* used up/);
  });
});

describe('budget that is nearly used up', () => {
  it('is reported once in the streams of chat and agent', async () => {
    provider.answer = () => 'x';
    await setBudget(Math.ceil((await usedInAll()) / 0.85));
    for (const answer of [await chat(), await agent()]) {
      expect(answer.status).toBe(200);
      expect(
        answer.body.match(/"code":"budget-near","text":"8\d% of the monthly budget of this workspace/g),
      ).toHaveLength(1);
    }
    await setBudget(undefined);
  });
});

describe('GET /api/usage', () => {
  it('sums up by the requested fields, with costs at the prices in the settings', async () => {
    const prices = { m: { inputPerMillion: 10, outputPerMillion: 20 } };
    await service.call('PUT', '/api/settings', { prices });
    const byModel = await eventually(
      () => usage('groupBy=model'),
      ({ unpricedModels }) => unpricedModels.length === 0,
    );
    const chats = byModel.rows.find(({ key }) => key === 'm');
    const { inputTokens = 0, outputTokens = 0 } = chats ?? {};
    expect(chats?.costUsd).toBeCloseTo((inputTokens * 10 + outputTokens * 20) / 1e6, 6);
    expect(byModel.rows.map(({ key }) => key).sort()).toEqual(['m', 'text-embedding-3-small']);
    for (const groupBy of ['day', 'caller', 'workspace', 'kind']) {
      const { rows, totals } = await usage(`groupBy=${groupBy}`);
      expect(totals).toEqual(byModel.totals);
      expect(rows.reduce((sum, { outputTokens }) => sum + outputTokens, 0)).toBe(totals.outputTokens);
    }
    expect((await usage('groupBy=kind')).rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['chat', 'agent', 'embedding']),
    );
  });

  it('returns no cost for a model without a price, but returns the number of its tokens', async () => {
    await service.call('PUT', '/api/settings', { prices: null });
    const { rows, unpricedModels } = await eventually(
      () => usage('groupBy=model'),
      (answer) => answer.unpricedModels.length === 1,
    );
    expect(unpricedModels).toEqual(['m']);
    const row = rows.find(({ key }) => key === 'm');
    expect(row).toMatchObject({
      costUsd: null,
      unpricedTokens: (row?.inputTokens ?? 0) + (row?.outputTokens ?? 0),
    });
  });

  it.each([
    ['from=2026-02-30', /from/],
    ['from=2026-02-02&to=2026-02-01', /can't be after/],
    ['from=2024-01-01&to=2026-01-01', /at most 366 days/],
    ['groupBy=colour', /groupBy/],
  ])('rejects %s', async (query, error) => {
    const answer = await service.call<{ error: string }>('GET', `/api/usage?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(error);
  });
});

describe('PUT /api/budgets', () => {
  it.each([
    [[{ scope: 'service', id: 'service' }], /must have monthlyUsd or monthlyTokens/],
    [[{ scope: 'service', id: 'x', monthlyUsd: 1 }], /must have the id "service" for the scope service/],
    [[{ scope: 'workspace', monthlyUsd: 1 }], /0\.id is required/],
    [[{ scope: 'workspace', id: 'w', monthlyUsd: 1 }], /0\.id must be the ID of a workspace/],
    [[{ scope: 'planet', id: 'x', monthlyUsd: 1 }], /0\.scope/],
    [[{ scope: 'caller', id: '\ud800', monthlyUsd: 1 }], /0\.id must be well-formed Unicode/],
    [[{ scope: 'caller', id: 'x', monthlyUsd: -1 }], /0\.monthlyUsd/],
    [[1, 2].map(() => ({ scope: 'caller', id: 'x', monthlyUsd: 1 })), /at most one budget per scope and id/],
  ])('rejects %j', async (budgets, error) => {
    const answer = await service.call<{ error: string }>('PUT', '/api/budgets', budgets);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(error);
  });

  it('accepts the response of GET', async () => {
    await service.call('PUT', '/api/budgets', [{ scope: 'service', monthlyUsd: 5 }]);
    const { body } = await service.call<BudgetState[]>('GET', '/api/budgets');
    expect(body).toMatchObject([{ scope: 'service', id: 'service', monthlyUsd: 5 }]);
    expect((await service.call('PUT', '/api/budgets', body)).body).toEqual(body);
  });
});
