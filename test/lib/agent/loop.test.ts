import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callStops } from '../../../lib/agent/loop/call-stops.ts';
import { liveOutput } from '../../../lib/agent/loop/live-output.ts';
import { type LoopRun, runSteps } from '../../../lib/agent/loop/steps.ts';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import type { ModelEvent, ModelMessage } from '../../../lib/ports/language-model.ts';
import { followRun } from '../../../lib/runs/follow-run.ts';
import { runs } from '../../../lib/runs/schema.ts';
import {
  type AgentRig,
  calls,
  doIt,
  finish,
  inTurn,
  recordingTool,
  says,
  startAgentRig,
  typesOf,
} from '../../support/agent.ts';
import { longestSlice, MOST_SLICE_MS } from '../../support/processes/longest-slice.ts';
import { makeContext } from '../../support/tool-context.ts';

let rig: AgentRig;
let look: ReturnType<typeof recordingTool>;
let change: ReturnType<typeof recordingTool>;

beforeEach(async () => {
  look = recordingTool('look', { inEveryMode: true });
  change = recordingTool('change');
  rig = await startAgentRig([look.tool, change.tool]);
});

const gate = () => Promise.withResolvers<void>();
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
/** Returns the tool results in the model's latest request. */
const results = () => rig.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];

/** Returns the answers in turn, repeatedly. */
function alternating(...answers: (() => ModelEvent[])[]): () => ModelEvent[] {
  let asked = 0;
  return () => answers[asked++ % answers.length]?.() ?? [];
}

function numbered(answer: (at: number) => ModelEvent[]): () => ModelEvent[] {
  let asked = 0;
  return () => answer(++asked);
}

describe('run', () => {
  it('streams the parts of the protocol in order', async () => {
    rig.model.answer = inTurn(
      [{ type: 'text', text: 'I look.' }, ...calls({ name: 'look', input: { value: 'x' }, id: 'c1' })],
      says('Seen it.'),
    );
    const { run, parts } = await rig.ask();
    expect(parts).toEqual([
      { type: 'start', messageId: run.id, messageMetadata: { runId: run.id } },
      { type: 'start-step' },
      { type: 'text-start', id: '1.1' },
      { type: 'text-delta', id: '1.1', delta: 'I look.' },
      { type: 'text-end', id: '1.1' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'look' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'look', input: { value: 'x', rounds: 1 } },
      { type: 'tool-output-available', toolCallId: 'c1', output: { did: 'x' } },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'text-start', id: '2.1' },
      { type: 'text-delta', id: '2.1', delta: 'Seen it.' },
      { type: 'text-end', id: '2.1' },
      { type: 'finish-step' },
      {
        type: 'finish',
        finishReason: 'stop',
        messageMetadata: {
          promptTokens: 10,
          runId: run.id,
          provider: 'a',
          model: 'scripted',
          usage: { inputTokens: 20, outputTokens: 2 },
          steps: 2,
        },
      },
    ]);
  });

  it('shows reasoning in separate blocks', async () => {
    rig.model.answer = () => [{ type: 'reasoning', text: 'Hm.' }, ...says('Yes.')];
    const { parts } = await rig.ask();
    expect(typesOf(parts).slice(2, 8)).toEqual([
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
    ]);
    expect(parts[2]).not.toEqual(expect.objectContaining({ id: '1.2' }));
  });

  it('streams results as they arrive, and sends them to the model in the order of its calls', async () => {
    const names = ['slow', 'middle', 'fast'] as const;
    const gates = { slow: gate(), middle: gate(), fast: gate() };
    look.tool.run = async ({ value }) => {
      await gates[value as keyof typeof gates].promise;
      return value;
    };
    const wanted = names.map((value) => ({ name: 'look', input: { value }, id: value }));
    rig.model.answer = inTurn(calls(...wanted), says('Done.'));
    const { run, after } = await rig.send();
    const parts: StreamPart[] = [];
    gates.fast.resolve();
    const options = { after, untilSuspended: true, signal: new AbortController().signal, timeLeftMs: 60_000 };
    for await (const part of followRun(rig.ports, run.id, options)) {
      parts.push(part);
      if (part.type !== 'tool-output-available') continue;
      gates[part.output === 'fast' ? 'middle' : 'slow'].resolve();
    }
    const outputs = parts.flatMap((part) => (part.type === 'tool-output-available' ? [part.output] : []));
    expect(outputs).toEqual(['fast', 'middle', 'slow']);
    expect(results().map(({ content }) => content)).toEqual(['slow', 'middle', 'fast']);
  });

  it('ends with tool-calls if it has no steps left', async () => {
    rig.ports.maxSteps = 3;
    let round = 0;
    rig.model.answer = () => calls({ name: 'look', input: { rounds: ++round } });
    const { run, parts } = await rig.ask();
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' });
    expect(run).toMatchObject({ status: 'done', steps: 3 });
    expect(rig.model.requests).toHaveLength(3);
  });

  it('refuses the same call the third time in a row, with a hint', async () => {
    const same = calls({ name: 'look', input: { value: 'x' } });
    const other = calls({ name: 'look', input: { value: 'y' } });
    rig.model.answer = inTurn(same, same, same, other, same, says('Done.'));
    const { parts } = await rig.ask();
    expect(look.inputs).toHaveLength(4);
    const errors = parts.flatMap((part) => (part.type === 'tool-output-error' ? [part.errorText] : []));
    expect(errors).toEqual([expect.stringMatching(/3 times in a row.*another way/)]);
  });

  const valid = () => calls({ name: 'look', input: { value: 'x' } });
  it.each<[string, () => ModelEvent[]]>([
    ['the same call', valid],
    ['two calls in turn', alternating(valid, () => calls({ name: 'look', input: { value: 'y' } }))],
    ['the same two calls side by side', () => [...valid().slice(0, 1), ...valid()]],
    ['a missing tool', numbered((at) => calls({ name: `rm${at}` }))],
    ['arguments with another shape', numbered((at) => calls({ name: 'look', input: { value: at } }))],
    ['invalid JSON arguments', numbered((at) => calls({ name: 'look', input: `{"value": "${at}` }))],
  ])('ends after a few steps without progress, and reports why: %s', async (_, answer) => {
    rig.model.answer = answer;
    const { run, parts } = await rig.ask();
    expect(rig.model.requests.length).toBeLessThanOrEqual(6);
    expect(run.status).toBe('done');
    expect(parts).toContainEqual({
      type: 'data-notice',
      data: { code: 'no-progress', text: expect.stringMatching(/last 4 steps brought nothing new/) },
    });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'other' });
  });

  it('reports once that nothing was done if the model wrote text but called none of its tools', async () => {
    const told = async (body = {}) =>
      (await rig.ask(body)).parts.filter(({ type }) => type === 'data-notice');
    rig.model.answer = inTurn(says('I wrote owls.md.'));
    expect(await told()).toMatchObject([
      { data: { code: 'no-tool-calls', text: expect.stringMatching(/^The model called no tool/) } },
    ]);
    expect(await told({ mode: 'ask' })).toEqual([]);
    rig.model.answer = inTurn(valid(), says('I looked.'));
    expect(await told()).toEqual([]);
    rig.model.answer = inTurn(says(''));
    expect(await told()).toMatchObject([{ data: { code: 'answer-empty' } }]);
  });

  it('continues while steps make progress, and while a person is asked', async () => {
    let at = 0;
    const other = () => calls({ name: 'look', input: { value: `${at}` } });
    rig.model.answer = () => (++at > 20 ? says('Done.') : at % 4 === 0 ? other() : calls({ name: 'rm' }));
    const { run, parts } = await rig.ask();
    expect(run).toMatchObject({ status: 'done', steps: 21 });
    expect(parts.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('continues if the same call has another result each time', async () => {
    let at = 0;
    look.tool.run = async () => ++at;
    const second = calls({ name: 'change' });
    rig.model.answer = () =>
      rig.model.requests.length > 12 ? says('Done.') : rig.model.requests.length % 2 ? valid() : second;
    const { run } = await rig.ask();
    expect(run).toMatchObject({ status: 'done', steps: 13 });
  });

  it('shows the output of a running call before its result, and counts calls that failed', async () => {
    const shown = gate();
    look.tool.run = async ({ value }, { showOutput }) => {
      showOutput?.(`${String(value)} is at work`);
      await shown.promise;
      if (value === 'bad') throw new InvalidInput('invalid_value', 'No.');
      return { exitCode: 1, state: value === 'odd' ? 'failed' : 'done' };
    };
    const wanted = ['good', 'odd', 'bad'].map((value) => ({ name: 'look', input: { value }, id: value }));
    rig.model.answer = inTurn(calls(...wanted), says('Done.'));
    const { run, after } = await rig.send();
    const parts: StreamPart[] = [];
    const options = { after, untilSuspended: true, signal: new AbortController().signal, timeLeftMs: 60_000 };
    for await (const part of followRun(rig.ports, run.id, options)) {
      parts.push(part);
      if (part.type === 'data-output') shown.resolve();
    }
    expect(parts.flatMap((part) => (part.type === 'data-output' ? [part.data] : []))).toEqual(
      ['good', 'odd', 'bad'].map((id) => ({ toolCallId: id, chunk: `${id} is at work` })),
    );
    expect(await runs.get(rig.ports.records, { id: run.id })).toMatchObject({ failedCalls: 2, steps: 2 });
  });

  it("isn't ended by a stop while an approval of the same step is being stored", async () => {
    const controller = new AbortController();
    look.tool.run = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const asking = recordingTool('asking', { asks: doIt });
    const run = {
      conversation: {
        system: '',
        messages: [],
        usage: { inputTokens: null, outputTokens: null },
        steps: 0,
        pending: [],
        repeated: { call: '', times: 0 },
      },
      model: {
        provider: 'a',
        model: 'm',
        async *stream() {
          yield* calls({ name: 'look' }, { name: 'asking' });
        },
      },
      tools: [look.tool, asking.tool],
      modelTools: [],
      context: makeContext(rig.workspace.rootPath, { signal: controller.signal }),
      live: liveOutput(),
      stops: callStops(),
      maxSteps: 5,
      // A slow store, so that the stop arrives while the approval is being stored.
      requestApproval: async () => {
        controller.abort(new Error('stopped'));
        await pause(20);
        return 'approval';
      },
      judge: async () => ({ word: 'allow' }),
      basisOf: async () => ({ reasons: [], paths: [] }),
      effectsOf: async () => [],
      requireRights: async () => {},
      requireHeld: () => {},
      takeMessages: async () => [],
      hasMessages: async () => false,
      shouldHandOver: () => false,
    } satisfies LoopRun;
    const steps = async () => {
      for await (const part of { [Symbol.asyncIterator]: () => runSteps(run) }) void part;
    };
    await expect(steps()).rejects.toThrow('stopped');
  });
});

describe('tool call', () => {
  it.each([
    ['of a missing tool', { name: 'rm', input: {} }, /The tool "rm" doesn't exist.*look, change/],
    ['with invalid JSON arguments', { name: 'look', input: '{"value": "x' }, /aren't valid JSON/],
    ['with arguments of another shape', { name: 'look', input: { value: 7 } }, /value/],
    ['with unknown arguments', { name: 'look', input: { valeu: 'x' } }, /valeu/],
    ['with a list as arguments', { name: 'look', input: [] }, /arguments/],
    ['with arguments that are too long', { name: 'look', input: { value: 'x'.repeat(100_001) } }, /100000/],
  ])('%s is reported to the model, and the run continues', async (_, call, text) => {
    rig.model.answer = inTurn(calls({ ...call, id: 'c' }), says('I see.'));
    const { run, parts } = await rig.ask();
    const error = { toolCallId: 'c', errorText: expect.stringMatching(text) };
    expect(parts).toContainEqual({
      type: 'tool-input-error',
      toolName: call.name,
      input: expect.anything(),
      ...error,
    });
    expect(parts).toContainEqual({ type: 'tool-output-error', ...error });
    expect(results()).toEqual([
      expect.objectContaining({ isError: true, content: expect.stringMatching(text) }),
    ]);
    expect(run).toMatchObject({ status: 'done', steps: 2 });
    expect(look.inputs).toEqual([]);
  });

  it("doesn't block the event loop if 3.5 MB of arguments with 300,000 names arrive in tiny chunks", async () => {
    const text = `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`)}}`;
    const pieces = text.match(/.{1,40}/g) ?? [];
    const call = { name: 'look', input: text, id: 'c' };
    const answer: ModelEvent[] = [
      { type: 'tool-call-start', id: 'c', name: 'look' },
      ...pieces.map((piece): ModelEvent => ({ type: 'tool-call-delta', id: 'c', text: piece })),
      ...calls(call).slice(-2),
    ];
    const ms = await longestSlice(async () => {
      rig.model.answer = inTurn(answer, says('I see.'));
      const { run, parts } = await rig.ask();
      expect(run).toMatchObject({ status: 'done', steps: 2 });
      expect(JSON.stringify(parts).length).toBeLessThan(200_000);
    });
    expect(ms).toBeLessThan(MOST_SLICE_MS);
    expect(results()).toEqual([
      expect.objectContaining({ isError: true, content: expect.stringMatching(/100000/) }),
    ]);
    const kept = JSON.stringify(rig.model.requests.at(-1)?.messages);
    expect(kept.length).toBeLessThan(10_000);
  });

  it('gets the defaults if it has no arguments, or nulls', async () => {
    rig.model.answer = inTurn(
      calls({ name: 'look', input: '' }, { name: 'look', input: { value: null } }),
      says('Done.'),
    );
    await rig.ask();
    expect(look.inputs).toEqual(Array(2).fill({ value: 'nothing', rounds: 1 }));
  });

  it('may have arguments in one huge chunk without losing the run', async () => {
    const text = JSON.stringify({ value: 'ä'.repeat(600_000) });
    rig.model.answer = inTurn(
      [
        { type: 'tool-call-start', id: 'c', name: 'look' },
        { type: 'tool-call-delta', id: 'c', text },
        ...calls({ name: 'look', input: text, id: 'c' }),
      ],
      says('I see.'),
    );
    const { run, parts } = await rig.ask();
    expect(run.status).toBe('done');
    const deltas = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.inputTextDelta] : []));
    expect(deltas.join('')).toBe(text);
  });

  it("doesn't lose the run if a text comes in one huge chunk", async () => {
    const text = '🐢'.repeat(300_000);
    rig.model.answer = () => says(text);
    const { run, parts } = await rig.ask();
    expect(run.status).toBe('done');
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).toBe(text);
  });
});

describe('mode', () => {
  it.each(['plan', 'ask'] as const)('%s refuses every tool that does more than read', async (mode) => {
    rig.model.answer = inTurn(calls({ name: 'change' }, { name: 'look' }), says('Done.'));
    const { parts } = await rig.ask({ mode });
    expect(change.inputs).toEqual([]);
    expect(look.inputs).toHaveLength(1);
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        errorText: expect.stringMatching(/The tool "change" doesn't exist/),
      }),
    );
    expect(rig.model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look']);
  });
});

describe('long conversation', () => {
  it('is condensed to the starts of old results, with the latest result complete and the request unchanged', async () => {
    const long = 'x'.repeat(29_000);
    look.tool.run = async ({ rounds }) => `${rounds} ${long}`;
    let round = 0;
    rig.model.answer = () =>
      ++round <= 15 ? calls({ name: 'look', input: { rounds: round } }) : says('Done.');
    const { run } = await rig.ask();
    expect(run.status).toBe('done');
    const sent = rig.model.requests.at(-1)?.messages ?? [];
    expect(sent[0]).toEqual({ role: 'user', content: 'Do it.' });
    expect(results()).toHaveLength(15);
    expect(results()[0]?.content).toMatch(/^1 x+\n\[\d+ characters of this old result were omitted/);
    for (const result of results().slice(-6)) expect(result.content).toHaveLength(long.length + 3);
    expect(size(sent)).toBeLessThan(320_000);
  });

  it("loses its oldest turns if condensing isn't enough, and never keeps a result without its call", async () => {
    const turns = fc.array(
      fc.record({
        text: fc.integer({ min: 0, max: 60_000 }),
        results: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 4 }),
      }),
      { maxLength: 20 },
    );
    const { fitContext } = await import('../../../lib/agent/loop/fit-context.ts');
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 500_000 }), (list, first) => {
        const messages: ModelMessage[] = [
          { role: 'user', content: 'f'.repeat(first) },
          ...list.flatMap(turn),
        ];
        const fitted = fitContext(messages);
        const known = new Set(
          fitted
            .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
            .map(({ id }) => id),
        );
        expect(fitted[0]?.role).toBe('user');
        for (const message of fitted)
          if (message.role === 'tool') expect(known).toContain(message.toolCallId);
        if (messages.length <= 1) return;
        expect(fitted.at(-1)?.role).toBe(messages.at(-1)?.role);
      }),
      { numRuns: 60 },
    );
  });
});

function turn({ text, results: sizes }: { text: number; results: number[] }, at: number): ModelMessage[] {
  const toolCalls = sizes.map((_, index) => ({ id: `${at}.${index}`, name: 'look', input: '{}' }));
  return [
    { role: 'assistant', content: 't'.repeat(text), toolCalls },
    ...sizes.map(
      (length, index): ModelMessage => ({
        role: 'tool',
        toolCallId: `${at}.${index}`,
        content: 'r'.repeat(length),
      }),
    ),
  ];
}

function size(messages: ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

describe('tool result', () => {
  it('contains the message of a failed tool without internal details', async () => {
    look.tool.run = async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.1 key=secret');
    };
    rig.model.answer = inTurn(calls({ name: 'look' }), says('Done.'));
    const { parts } = await rig.ask();
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        errorText: 'Something went wrong in the service. Try again.',
      }),
    );
    expect(JSON.stringify(rig.model.requests)).not.toContain('secret');
  });

  it('explains the timeout of a slow tool', async () => {
    look.tool.timeoutMs = 30;
    look.tool.run = () => new Promise(() => {});
    rig.model.answer = inTurn(calls({ name: 'look' }), says('Done.'));
    const { run, parts } = await rig.ask();
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-error',
        errorText: expect.stringMatching(/took more than/),
      }),
    );
    expect(run.status).toBe('done');
  });
});

it('run fails if an answer breaks off without its end', async () => {
  rig.model.answer = (): ModelEvent[] => [{ type: 'text', text: 'Half' }];
  const { run, parts } = await rig.ask();
  expect(run.status).toBe('failed');
  expect(parts.slice(-2).map(({ type }) => type)).toEqual(['error', 'data-error']);
});

it('run makes no calls of a truncated answer', async () => {
  rig.model.answer = () => [{ type: 'tool-call-start', id: 'c', name: 'change' }, finish('length')];
  const { run } = await rig.ask();
  expect(change.inputs).toEqual([]);
  expect(run.status).toBe('done');
});
