import { beforeEach, describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import type { ModelEvent, ModelRequest, ProviderId } from '../../../lib/ports/language-model.ts';
import { type ChatRequest, type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { whenDone } from '../../support/temp-folder.ts';

let server: FakeOpenai;
let bodies: ChatRequest[];
let refusal: (request: ChatRequest) => [number, string] | undefined;

beforeEach(async () => {
  server = await startFakeOpenai({ answer: () => '{"animal":"owl"}' });
  whenDone(server.stop);
  bodies = [];
  refusal = () => undefined;
  server.refuses = (request) => {
    bodies.push(request);
    return refusal(request);
  };
});

const SCHEMA = {
  name: 'animal',
  schema: { type: 'object', properties: { animal: { type: 'string' } }, required: ['animal'] },
};
const REQUEST: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Which?' }] };
const GREP = { name: 'grep', description: 'Searches.', inputSchema: { type: 'object' } };

async function ask(
  request: Partial<ModelRequest>,
  { provider = 'a' as ProviderId, callsTools = undefined as boolean | undefined } = {},
): Promise<ModelEvent[]> {
  const settings = { provider, baseUrl: server.url, model: 'm', callsTools };
  const events: ModelEvent[] = [];
  for await (const event of openaiLanguageModel(settings).stream({ ...REQUEST, ...request }))
    events.push(event);
  return events;
}

const formsOf = () =>
  bodies.map(({ response_format, temperature }) => [
    (response_format as { type: string } | undefined)?.type,
    temperature,
  ]);

describe('JSON answer', () => {
  it('is requested with its schema at a low temperature, only from local servers', async () => {
    await ask({ responseSchema: SCHEMA });
    expect(bodies[0]).toMatchObject({
      temperature: 0.2,
      response_format: { type: 'json_schema', json_schema: { ...SCHEMA, strict: true } },
    });
    await ask({ responseSchema: SCHEMA }, { provider: 'c' });
    await ask({});
    expect(formsOf().slice(1)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it.each([
    [
      'json_schema',
      [
        ['json_schema', 0.2],
        ['json_object', 0.2],
      ],
    ],
    [
      'json_object',
      [
        ['json_schema', 0.2],
        ['json_object', 0.2],
        [undefined, 0.2],
      ],
    ],
  ])(
    'is requested in a simpler form, only once, if the server supports no more than %s',
    async (kind, forms) => {
      refusal = ({ response_format: form }) => {
        const { type } = (form ?? {}) as { type?: string };
        if (type === undefined || (kind === 'json_schema' && type === 'json_object')) return undefined;
        return [400, `response_format.type '${type}' is not supported`];
      };
      await ask({ responseSchema: SCHEMA });
      expect(formsOf()).toEqual(forms);
      bodies = [];
      await ask({ responseSchema: SCHEMA });
      expect(formsOf()).toEqual(forms.slice(-1));
    },
  );

  it.each([
    ['names the temperature', 400, "Unsupported value: 'temperature'"],
    ['names nothing', 422, 'Unprocessable'],
    ['fails on a grammar', 500, 'failed to parse grammar'],
  ])('is requested without a rejected option if the rejection %s', async (_, status, text) => {
    refusal = ({ temperature, response_format: form }) => {
      const isSchema = (form as { type?: string } | undefined)?.type === 'json_schema';
      const isAtFault = text.includes('temperature') ? temperature : status === 500 ? isSchema : form;
      return isAtFault ? [status, text] : undefined;
    };
    expect((await ask({ responseSchema: SCHEMA })).at(-1)).toMatchObject({ reason: 'stop' });
    bodies = [];
    await ask({ responseSchema: SCHEMA });
    expect(bodies).toHaveLength(1);
  });

  it.each([
    [400, "This model's maximum context length is 4096 tokens. Reduce the messages or the tools."],
    [400, 'the request exceeds the available context size'],
    [401, 'bad key for json'],
    [403, 'no tools for you'],
  ])('is requested once if the rejection (%d) has another cause', async (status, text) => {
    refusal = () => [status, text];
    await expect(ask({ responseSchema: SCHEMA, tools: [GREP] })).rejects.toThrow(/refused/);
    expect(bodies).toHaveLength(1);
    refusal = () => undefined;
    await ask({ responseSchema: SCHEMA });
    expect(formsOf().at(-1)).toEqual(['json_schema', 0.2]);
  });

  it('fails with the first rejection if simpler requests also fail, and remembers nothing', async () => {
    refusal = ({ response_format }) => (response_format ? [400, 'json'] : [404, 'gone']);
    await expect(ask({ responseSchema: SCHEMA })).rejects.toThrow(/400/);
    refusal = () => undefined;
    await ask({ responseSchema: SCHEMA });
    expect(formsOf().at(-1)).toEqual(['json_schema', 0.2]);
  });
});

describe('tools', () => {
  const refusesTools = ({ tools }: ChatRequest): [number, string] | undefined =>
    tools && [400, 'registry.ollama.ai/library/gemma3 does not support tools'];
  const CALL = '<tool_call>{"name": "grep", "arguments": {"pattern": "owl"}}</tool_call>';

  it('are described in text for a model that rejects tools, and its calls are parsed', async () => {
    refusal = refusesTools;
    server.answer = () => CALL;
    const call = {
      type: 'tool-call',
      call: expect.objectContaining({ name: 'grep', input: '{"pattern":"owl"}' }),
    };
    expect(await ask({ tools: [GREP] })).toContainEqual(call);
    expect(await ask({ tools: [GREP] })).toContainEqual(call);
    expect(bodies.map(({ tools }) => tools !== undefined)).toEqual([true, false, false]);
    expect(String(bodies.at(-1)?.messages[0]?.content)).toMatch(
      /Be kind\.[\s\S]*<tool_call>[\s\S]*"Searches\."/,
    );
  });

  it.each([
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use'],
    [400, 'function calling is not supported'],
    [422, 'Unprocessable entity'],
  ])('are described in text after a rejection (%d) with: %s', async (status, text) => {
    refusal = ({ tools }) => (tools ? [status, text] : undefined);
    expect((await ask({ tools: [GREP] })).at(-1)).toMatchObject({ reason: 'stop' });
  });

  it("keep calls and results in alternating messages, whose end a result can't imitate", async () => {
    await ask(
      {
        tools: [GREP],
        messages: [
          { role: 'user', content: 'Find it.' },
          {
            role: 'assistant',
            content: 'Yes.',
            toolCalls: ['c1', 'c2'].map((id) => ({ id, name: 'grep', input: '{}' })),
          },
          { role: 'tool', toolCallId: 'c1', content: 'one' },
          { role: 'tool', toolCallId: 'c2', content: 'two' },
        ],
      },
      { callsTools: false },
    );
    expect(bodies.map(({ tools }) => tools)).toEqual([undefined]);
    const call = '<tool_call>{"name": "grep", "arguments": {}}</tool_call>';
    expect(bodies[0]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: `Yes.\n${call}\n${call}` },
      { role: 'user', content: '<result-c1>\none\n</result-c1>\n\n<result-c2>\ntwo\n</result-c2>' },
    ]);
  });

  it('are sent unchanged to a provider, and its rejection is final', async () => {
    refusal = refusesTools;
    await expect(ask({ tools: [GREP] }, { provider: 'c' })).rejects.toThrow(/can't call tools/);
    expect(bodies).toHaveLength(1);
  });
});

it('openaiLanguageModel prepends the system prompt to the first message if the template has no system role', async () => {
  refusal = ({ messages }) =>
    messages[0]?.role === 'system' ? [400, 'System role not supported'] : undefined;
  await ask({});
  expect(bodies.at(-1)?.messages).toEqual([{ role: 'user', content: 'Be kind.\n\nWhich?' }]);
});
