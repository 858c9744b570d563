import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { backgroundWorkDone } from '../../../lib/async/after-response.ts';
import { OverBudget } from '../../../lib/errors.ts';
import type { LanguageModel } from '../../../lib/ports/language-model.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { dropBudget, listBudgets, measureUse, replaceBudgets } from '../../../lib/usage/budgets/list.ts';
import type { Budget } from '../../../lib/usage/budgets/schema.ts';
import { meteredEmbedder, meteredModel } from '../../../lib/usage/metered-ports.ts';
import type { UseViewPorts } from '../../../lib/usage/ports.ts';
import { recordUsage } from '../../../lib/usage/record-usage.ts';
import type { Use } from '../../../lib/usage/schema.ts';
import { eventually } from '../../support/sync.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const use: Use = { callerId: 'c', workspaceId: 'w', kind: 'chat' };
const NOON = Date.parse('2026-11-22T12:00:00Z');
const prices = { m: { inputPerMillion: 1000, outputPerMillion: 0 } };

let now = NOON;
let dataDir: string;
let ports: UseViewPorts;

/** The state of the same store in another process, without this process's running calls. */
function processOf(count?: (reads: string) => void): UseViewPorts {
  const records = sqliteRecords(openDatabase(dataDir), { now: () => now });
  const counted: Records = {
    ...records,
    get(key) {
      count?.('get');
      return records.get(key);
    },
    query(query) {
      count?.('query');
      return records.query(query);
    },
  };
  return { records: counted, clock: { now: () => now }, prices, rolesIn: () => async () => undefined };
}

beforeEach(async () => {
  now = NOON;
  dataDir = await tempFolder();
  ports = processOf();
});

async function setBudgets(...budgets: Budget[]): Promise<void> {
  await replaceBudgets({ ...ports, isWorkspace: async (id) => id === 'w' }, ADMIN, {
    budgets,
    ifMatch: undefined,
  });
}
const ofWorkspace = (limits: Partial<Budget>): Budget => ({ scope: 'workspace', id: 'w', ...limits });

/** Answers on demand. Each answer uses this many tokens. */
function slowModel(inputTokens: number) {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let asked = 0;
  const model: LanguageModel = {
    provider: 'a',
    model: 'm',
    async *stream() {
      asked += 1;
      await held;
      yield { type: 'finish', reason: 'stop', usage: { inputTokens, outputTokens: 0 } };
    },
  };
  return { model, release, asked: () => asked };
}

async function ask(model: LanguageModel, by: UseViewPorts, of = use): Promise<'answered' | OverBudget> {
  try {
    const request = { system: '', messages: [{ role: 'user' as const, content: 'x' }] };
    for await (const event of meteredModel(model, of, by).stream(request)) void event;
    return 'answered';
  } catch (error) {
    if (error instanceof OverBudget) return error;
    throw error;
  }
}

async function spend(tokens: number, by = ports, of = use): Promise<void> {
  recordUsage(by, of, 'm', { calls: 1, inputTokens: tokens });
  await backgroundWorkDone();
}

describe('budget', () => {
  it('is exceeded at most by the calls in flight of two processes on one store', async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 10_000 }));
    const others = processOf();
    const { model, release, asked } = slowModel(3000);
    let refused = 0;
    const calls = Array.from({ length: 100 }, async (_, index) => {
      const answer = await ask(model, index % 2 === 0 ? ports : others);
      if (answer !== 'answered') refused += 1;
      return answer;
    });
    await eventually(
      async () => asked() + refused,
      (decided) => decided === 100,
    );
    const inFlight = asked();
    release();
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer === 'answered')).toHaveLength(inFlight);
    expect(inFlight).toBeGreaterThan(10); // by their estimates, both fill the budget
    expect(inFlight).toBeLessThanOrEqual(20);
    await backgroundWorkDone();
    const [state] = (await listBudgets(ports, ADMIN)).states;
    expect(state?.used.tokens).toBe(inFlight * 3000);
    for (const by of [ports, others]) expect(await ask(model, by)).toBeInstanceOf(OverBudget);
    expect(asked()).toBe(inFlight);
  });

  it('rejects calls only briefly while calls in flight may still use the rest', async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 1500 }));
    const { model, release } = slowModel(10);
    const calls = [ask(model, ports), ask(model, ports), ask(model, ports)];
    const last = await Promise.race(calls);
    expect(last).toMatchObject({ headers: { 'retry-after': '5' } });
    expect((last as OverBudget).message).toMatch(
      /^Calls in progress may use up the rest of the monthly budget of this/,
    );
    release();
    expect((await Promise.all(calls)).filter((answer) => answer === 'answered')).toHaveLength(2);
    await backgroundWorkDone();
    expect(await ask(model, ports)).toBe('answered');
  });

  it('reports its owner, and when it resets, once it is used up, and applies again after that', async () => {
    const { model, release } = slowModel(10);
    release();
    await setBudgets(ofWorkspace({ monthlyTokens: 100 }), { scope: 'caller', id: 'd', monthlyTokens: 0 });
    await spend(100);
    const refused = (await ask(model, ports)) as OverBudget;
    expect(refused.message).toBe(
      'The monthly budget of this workspace (100 tokens) is used up. It resets on 2026-12-01.',
    );
    expect(refused.headers['retry-after']).toBe(String((Date.parse('2026-12-01T00:00:00Z') - NOON) / 1000));
    expect(await ask(model, ports, { ...use, workspaceId: 'other' })).toBe('answered');
    expect(await ask(model, ports, { ...use, workspaceId: null, callerId: 'd' })).toBeInstanceOf(OverBudget);
    now = Date.parse('2026-11-30T23:59:59.999Z');
    expect(await ask(model, ports)).toBeInstanceOf(OverBudget);
    now += 1;
    expect(await ask(model, ports)).toBe('answered');
  });

  it('counts the cost of models with a price in dollars, and lists models without a price', async () => {
    await setBudgets({ scope: 'service', id: 'service', monthlyUsd: 1 });
    await spend(999);
    recordUsage(ports, use, 'unheard-of', { calls: 1, inputTokens: 1e6 });
    await backgroundWorkDone();
    const { model, release } = slowModel(1);
    release();
    const [state] = (await listBudgets(ports, ADMIN)).states;
    expect(state).toMatchObject({
      used: { tokens: 1_000_999, costUsd: 0.999, unpricedModels: ['unheard-of'] },
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    await setBudgets({ scope: 'service', id: 'service', monthlyUsd: 10 });
    const blind =
      "the limit of 10 USD doesn't apply to unheard-of, because no price is set. Set one in the settings (0 for free models)";
    expect((await listBudgets(ports, ADMIN)).states[0]?.warning).toContain(blind);
    expect(await meteredModel(model, use, ports).admit?.()).toContain(`budget of the service, ${blind}`);
    await setBudgets({ scope: 'service', id: 'service', monthlyUsd: 10, monthlyTokens: 1e9 });
    expect((await listBudgets(ports, ADMIN)).states[0]).not.toHaveProperty('warning');
    await setBudgets({ scope: 'service', id: 'service', monthlyUsd: 1 });
    expect(await ask(model, ports)).toBe('answered');
    await backgroundWorkDone();
    expect(((await ask(model, ports)) as OverBudget).message).toContain('of the service (1 USD) is used up');
  });

  it('is reported once four fifths are used', async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 1000, monthlyUsd: 100 }));
    const { model } = slowModel(1);
    const { admit } = meteredModel(model, use, ports);
    await spend(799);
    expect(await admit?.()).toBeUndefined();
    await spend(1);
    expect(await admit?.()).toBe(
      '80% of the monthly budget of this workspace (1,000 tokens) is used. It resets on 2026-12-01.',
    );
  });

  it('also limits embedding', async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 10 }));
    const embed = async (texts: string[]) => texts.map(() => new Float32Array(1));
    const embedder = meteredEmbedder({ model: 'e', batchSize: 8, embed }, use, ports);
    await embedder.embed(['forty letters are about ten tokens, so..']);
    await backgroundWorkDone();
    await expect(embedder.embed(['more'])).rejects.toThrow(OverBudget);
  });

  it('is deleted with its workspace', async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 10 }), { scope: 'service', id: 'service', monthlyUsd: 1 });
    await dropBudget(ports.records, 'w');
    expect((await listBudgets(ports, ADMIN)).states).toMatchObject([{ scope: 'service' }]);
  });
});

describe('budget check', () => {
  it('costs one read without budgets, and no read per call with budgets', async () => {
    const reads: string[] = [];
    const by = processOf((read) => reads.push(read));
    const { model, release } = slowModel(1);
    release();
    for (let call = 0; call < 20; call++) await ask(model, by);
    expect(reads).toEqual(['get']);
    await setBudgets(ofWorkspace({ monthlyTokens: 1e6 }));
    const again = processOf((read) => reads.push(read));
    for (let call = 0; call < 20; call++) await ask(model, again);
    expect(reads).toEqual(['get', 'get', 'query']);
  });
});

describe('measureUse', () => {
  it("returns the service's usage, and the larger used share of each budget", async () => {
    await setBudgets(ofWorkspace({ monthlyTokens: 1000, monthlyUsd: 1 }), {
      ...{ scope: 'caller', id: 'nobody', monthlyTokens: 10 },
    });
    await spend(250);
    expect(await measureUse(ports)).toEqual({
      ...{ tokens: 250, costUsd: 0.25 },
      budgets: [
        { scope: 'workspace', id: 'w', share: 0.25 },
        { scope: 'caller', id: 'nobody', share: 0 },
      ],
    });
  });
});
