import { describe, expect, it } from '@jest/globals';
import { answerOverApi } from '../../../lib/agent/start/answer.ts';
import { continueParked } from '../../../lib/agent/start/continue.ts';
import { backgroundWorkDone } from '../../../lib/async/after-response.ts';
import type { Embedder } from '../../../lib/ports/embedder.ts';
import type { LanguageModel, ModelEvent } from '../../../lib/ports/language-model.ts';
import type { Reranker } from '../../../lib/ports/reranker.ts';
import { meteredEmbedder, meteredModel, meteredSearch } from '../../../lib/usage/metered-ports.ts';
import type { Use } from '../../../lib/usage/schema.ts';
import { type AgentRig, calls, inTurn, MEMBER, says, startRigWithTools } from '../../support/agent.ts';
import { startBotRig } from '../../support/bots.ts';
import { usesToday } from '../../support/uses.ts';

const use: Use = { callerId: 'c', workspaceId: null, kind: 'chat' };

/** Counts calls as the functions that run the agent do. */
function counting<Rig extends Pick<AgentRig, 'ports'>>(rig: Rig): Rig {
  const { openModel } = rig.ports;
  rig.ports.openModel = (of, choice) => meteredModel(openModel(of, choice), of, rig.ports);
  return rig;
}

describe('run step', () => {
  it("counts once, however often the worker's message is delivered", async () => {
    const { launch, rig } = await startRigWithTools();
    counting(rig).model.answer = inTurn(calls({ name: 'launch', input: { value: 'rocket' } }), says('Done.'));
    const { run } = await rig.ask({ mode: 'agent' });
    const { id } = await rig.approvalOf(run.id);
    await answerOverApi(rig.ports, MEMBER, run, id, { approved: true });
    for (const _ of [1, 2, 3]) await continueParked(rig.ports, run.id, 60_000);
    await backgroundWorkDone();
    expect(launch.inputs).toHaveLength(1);
    const [used, ...others] = await usesToday(rig.ports.records);
    expect(others).toEqual([]);
    expect(used).toMatchObject({ kind: 'agent', callerId: MEMBER.id, calls: 2 });
    expect(rig.model.requests).toHaveLength(2);
  });

  it('counts for the bots if a chat started it', async () => {
    const rig = counting(await startBotRig());
    rig.model.answer = inTurn(says('Hello.'));
    await rig.say('Hi');
    await backgroundWorkDone();
    expect(await usesToday(rig.ports.records)).toMatchObject([
      { kind: 'bots', callerId: 'ima:ou_1', calls: 1 },
    ]);
  });
});

describe('image', () => {
  it('is estimated as an image, whatever its bytes are, and its model counts as multimodal', async () => {
    const { rig } = await startRigWithTools();
    const usage = { inputTokens: null, outputTokens: 0 };
    const silent: LanguageModel = {
      ...{ provider: 'a', model: 'm', sees: true },
      async *stream() {
        yield { type: 'finish', reason: 'stop', usage };
      },
    };
    const model = meteredModel(silent, use, { ...rig.ports, prices: {} });
    const picture = { mediaType: 'image/png' as const, base64: 'A'.repeat(3_000_000) };
    const attachments = [{ name: 'a.png', text: 'a', picture }];
    const messages = [{ role: 'user' as const, content: 'a', attachments }];
    for await (const event of model.stream({ system: '', messages })) expect(event).toHaveProperty('usage');
    await backgroundWorkDone();
    const [used] = await usesToday(rig.ports.records);
    expect([model.sees, Math.round(Number(used?.inputTokens) / 100)]).toEqual([true, 15]);
  });
});

describe('metered service', () => {
  it("is undefined without a service, and passes on another model's name", async () => {
    const { rig } = await startRigWithTools();
    expect(meteredSearch({ ...rig.ports, embedder: undefined }, use)).toMatchObject({ embedder: undefined });
    const embedder: Embedder = {
      ...{ model: 'a', batchSize: 1, embed: async (texts) => texts.map(() => new Float32Array([1])) },
      ofModel: (model) => ({ ...embedder, model }),
    };
    await meteredEmbedder(embedder, use, rig.ports).ofModel?.('b')?.embed(['four', 'four']);
    const reranker: Reranker = { model: 'r', rerank: async () => [1] };
    const search = meteredSearch({ ...rig.ports, embedder, reranker }, use);
    await search.reranker?.rerank('q', ['d'], { signal: new AbortController().signal, withinMs: 1000 });
    await backgroundWorkDone();
    const used = (await usesToday(rig.ports.records)).sort((a, b) => (a.model < b.model ? -1 : 1));
    expect(used).toMatchObject([
      { model: 'b', embeddedTexts: 2, embeddedTokens: 2, estimatedTokens: 2 },
      { model: 'r', rerankedTexts: 1 },
    ]);
  });

  it("responds even if its usage can't be written", async () => {
    const { rig } = await startRigWithTools();
    const records = { ...rig.ports.records, update: () => Promise.reject(new Error('disk full')) };
    const model = meteredModel(rig.ports.openModel(use), use, { ...rig.ports, records });
    const events = [];
    for await (const event of model.stream({ system: '', messages: [] })) events.push(event.type);
    await backgroundWorkDone();
    expect(events.at(-1)).toBe('finish');
  });

  it.each([1.5, -3, Number.NaN, Infinity, 1e300])('reads %p of a server as a token count', async (told) => {
    const { rig } = await startRigWithTools();
    const usage = { inputTokens: told, outputTokens: told };
    const finish: ModelEvent = { type: 'finish', reason: 'stop', usage };
    const telling: LanguageModel = {
      ...rig.ports.openModel(use),
      stream: async function* () {
        yield finish;
      },
    };
    for await (const _ of meteredModel(telling, use, rig.ports).stream({ system: '', messages: [] }));
    await backgroundWorkDone();
    const [used] = await usesToday(rig.ports.records);
    expect(used?.inputTokens).toBeGreaterThan(0);
    expect(Number.isSafeInteger(used?.inputTokens)).toBe(true);
  });

  it('counts the request of a caller that left before the first word', async () => {
    const { rig } = await startRigWithTools();
    const leaving = new AbortController();
    const silent: LanguageModel = {
      ...rig.ports.openModel(use),
      async *stream() {
        leaving.abort();
        leaving.signal.throwIfAborted();
        yield { type: 'text' as const, text: 'late' };
      },
    };
    const request = { system: 'x'.repeat(400), messages: [], signal: leaving.signal };
    const read = async () => {
      for await (const _ of meteredModel(silent, use, rig.ports).stream(request));
    };
    await expect(read()).rejects.toThrow();
    await backgroundWorkDone();
    const [used] = await usesToday(rig.ports.records);
    expect(used?.inputTokens).toBeGreaterThanOrEqual(100);
  });
});
