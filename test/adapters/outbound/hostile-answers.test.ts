import { describe, expect, it } from '@jest/globals';
import { anthropicLanguageModel } from '../../../lib/adapters/anthropic/language-model.ts';
import { listOpenaiModels } from '../../../lib/adapters/openai/client.ts';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import type { LanguageModel } from '../../../lib/ports/language-model.ts';
import { type HostileBody, startHostileProvider } from '../../support/fakes/hostile-provider.ts';
import { longestSlice, MOST_SLICE_MS } from '../../support/processes/longest-slice.ts';
import { whenDone } from '../../support/temp-folder.ts';

const SSE = 'text/event-stream';
const JSON_TYPE = 'application/json';

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at));
const manyNames = (count: number) => `{${times(count, (at) => `"k${at}":1`).join(',')}}`;

const delta = (fields: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
const openaiCall = (at: number, input: string) => ({
  ...{ index: at, id: `call_${at}`, type: 'function' },
  function: { name: 'readFile', arguments: input },
});
const OPENAI_END = `${delta({}, 'tool_calls')}data: [DONE]\n\n`;

const OPENAI: [string, HostileBody][] = [
  [
    'many small chunks of text',
    { type: SSE, piece: delta({ content: 'ab ' }), times: 60_000, end: OPENAI_END },
  ],
  [
    'one event of 50 MB',
    { type: SSE, start: 'data: "', piece: 'x'.repeat(1000), times: 50_000, end: `"\n\n` },
  ],
  ['an endless line', { type: SSE, start: 'data: ', piece: '[', times: 50_000_000 }],
  ['an event with many lines', { type: SSE, piece: 'data: 1\n', times: 2_000_000, end: `\n${OPENAI_END}` }],
  ['endless comments', { type: SSE, piece: ': ping\n\n', times: 500_000, end: OPENAI_END }],
  ['an event with many names', { type: SSE, start: `data: ${manyNames(300_000)}\n\n`, end: OPENAI_END }],
  [
    'many calls',
    {
      type: SSE,
      start: times(30_000, (at) => delta({ tool_calls: [openaiCall(at, '{}')] })).join(''),
      end: OPENAI_END,
    },
  ],
  [
    'many calls in one event',
    {
      type: SSE,
      start: delta({ tool_calls: Array.from({ length: 30_000 }, (_, at) => openaiCall(at, '{}')) }),
      end: OPENAI_END,
    },
  ],
  [
    'a call in tiny chunks',
    {
      type: SSE,
      start: delta({ tool_calls: [openaiCall(0, '')] }),
      piece: delta({ tool_calls: [{ index: 0, function: { arguments: '"k":1' } }] }),
      times: 60_000,
      end: OPENAI_END,
    },
  ],
  [
    'a call with many names',
    { type: SSE, start: delta({ tool_calls: [openaiCall(0, manyNames(300_000))] }), end: OPENAI_END },
  ],
  ['JSON with many names instead of a stream', { type: JSON_TYPE, start: manyNames(300_000) }],
];

const named = (type: string, fields: object) => `event: ${type}\n${event({ type, ...fields })}`;
const startBlock = (index: number) =>
  named('content_block_start', {
    index,
    content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'readFile', input: {} },
  });
const ANTHROPIC_START = named('message_start', { message: { usage: { input_tokens: 1, output_tokens: 1 } } });
const ANTHROPIC_END =
  named('message_delta', { delta: { stop_reason: 'tool_use' } }) + named('message_stop', {});
const writes = (partial_json: string) =>
  named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } });

const ANTHROPIC: [string, HostileBody][] = [
  [
    'many small chunks of text',
    {
      type: SSE,
      start: ANTHROPIC_START,
      piece: named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ab ' } }),
      times: 60_000,
      end: ANTHROPIC_END,
    },
  ],
  ['an endless line', { type: SSE, start: 'data: ', piece: '[', times: 50_000_000 }],
  [
    'an event with many lines',
    { type: SSE, piece: 'data: 1\n', times: 2_000_000, end: `\n${ANTHROPIC_END}` },
  ],
  [
    'an event with many names',
    { type: SSE, start: `event: content_block_delta\ndata: ${manyNames(300_000)}\n\n`, end: ANTHROPIC_END },
  ],
  [
    'many calls',
    { type: SSE, start: ANTHROPIC_START + times(30_000, startBlock).join(''), end: ANTHROPIC_END },
  ],
  [
    'a call in tiny chunks',
    {
      type: SSE,
      start: ANTHROPIC_START + startBlock(0),
      piece: writes('"k":1'),
      times: 60_000,
      end: ANTHROPIC_END,
    },
  ],
  [
    'a call with many names',
    { type: SSE, start: ANTHROPIC_START + startBlock(0) + writes(manyNames(300_000)), end: ANTHROPIC_END },
  ],
];

const EMBEDDINGS: [string, HostileBody][] = [
  [
    'a million vectors',
    {
      type: JSON_TYPE,
      start: '{"data":[',
      piece: '{"index":0,"embedding":[1]},',
      times: 1_000_000,
      end: '{"index":0,"embedding":[1]}]}',
    },
  ],
  [
    'a vector of ten million numbers',
    {
      type: JSON_TYPE,
      start: '{"data":[{"index":0,"embedding":[1',
      piece: ',0.5',
      times: 10_000_000,
      end: ']}]}',
    },
  ],
  [
    'a vector of three million numbers',
    {
      type: JSON_TYPE,
      start: '{"data":[{"index":0,"embedding":[1',
      piece: ',0.5',
      times: 3_000_000,
      end: ']}]}',
    },
  ],
  ['many names', { type: JSON_TYPE, start: manyNames(300_000) }],
  ['endless spaces', { type: JSON_TYPE, piece: ' ', times: 60_000_000 }],
];

async function drain(model: LanguageModel): Promise<string> {
  let count = 0;
  try {
    for await (const _ of model.stream({ system: '', messages: [{ role: 'user', content: 'Hi' }] })) count++;
    return `${count} events`;
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

async function measure(body: HostileBody, work: (url: string) => Promise<string>): Promise<number> {
  const { url, stop } = await startHostileProvider(body);
  whenDone(stop);
  let outcome = '';
  const ms = await longestSlice(async () => {
    outcome = await work(url);
  });
  if (process.env.TELL) console.error(`${ms.toFixed(0)} ms: ${outcome}`);
  return ms;
}

describe('malicious model provider', () => {
  it.each(OPENAI)("doesn't block the event loop with an OpenAI stream: %s", async (_name, body) => {
    const read = (baseUrl: string) => drain(openaiLanguageModel({ provider: 'a', baseUrl, model: 'm' }));
    expect(await measure(body, read)).toBeLessThan(MOST_SLICE_MS);
  });

  it.each(ANTHROPIC)("doesn't block the event loop with an Anthropic stream: %s", async (_name, body) => {
    const read = (baseUrl: string) => drain(anthropicLanguageModel({ baseUrl, model: 'm' }));
    expect(await measure(body, read)).toBeLessThan(MOST_SLICE_MS);
  });

  it.each(EMBEDDINGS)("doesn't block the event loop with vectors: %s", async (_name, body) => {
    const read = (baseUrl: string) => {
      const embedder = openaiEmbedder({ who: 'The embedder', settings: { baseUrl }, model: 'm' });
      return embedder.embed(['a']).then(
        (vectors) => `${vectors.length} vectors`,
        (error) => String(error.code ?? error),
      );
    };
    expect(await measure(body, read)).toBeLessThan(MOST_SLICE_MS);
  });

  it('can return the vectors of a full batch without blocking the event loop', async () => {
    const numbers = Array.from({ length: 4096 }, (_, at) => Math.sin(at + 1) / 64);
    const vector = `{"object":"embedding","index":0,"embedding":${JSON.stringify(numbers)}}`;
    const vectors = Array.from({ length: 100 }, (_, at) => vector.replace('"index":0', `"index":${at}`));
    const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`);
    const body = { type: JSON_TYPE, start: `{"data":[${vectors.join(',')}]}` };
    let count = 0;
    const read = async (baseUrl: string) => {
      const embedder = openaiEmbedder({ who: 'The embedder', settings: { baseUrl }, model: 'm' });
      count = (await embedder.embed(texts)).length;
      return `${count} vectors`;
    };
    expect(await measure(body, read)).toBeLessThan(MOST_SLICE_MS);
    expect(count).toBe(100);
  });

  it("doesn't block the event loop with its list of models", async () => {
    const body = { type: JSON_TYPE, start: manyNames(300_000) };
    const read = (baseUrl: string) =>
      listOpenaiModels('OpenAI', { baseUrl }, AbortSignal.timeout(10_000)).then(
        (models) => `${models.length} models`,
        (error) => String(error.code ?? error),
      );
    expect(await measure(body, read)).toBeLessThan(MOST_SLICE_MS);
  });
});
