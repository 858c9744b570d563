import { describe, expect, it } from '@jest/globals';
import type { AgentConversation } from '../../../../lib/agent/loop/conversation.ts';
import { makeRoom } from '../../../../lib/agent/loop/make-room.ts';
import type { StreamPart } from '../../../../lib/api-contract/stream-part.ts';
import { UpstreamFailed } from '../../../../lib/errors.ts';
import type {
  LanguageModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
} from '../../../../lib/ports/language-model.ts';
import { promptRoom } from '../../../../lib/support/prompt-room.ts';
import { says } from '../../../support/agent.ts';

const said = 'The barn owl hunts at night by its hearing alone. ';

/** Returns a conversation with this many requests, each with a read file and an answer. */
function conversationOf(requests: number): AgentConversation {
  const messages = Array.from({ length: requests }, (_, at): ModelMessage[] => [
    { role: 'user', content: `Request ${at}. ${said.repeat(20)}` },
    { role: 'assistant', content: 'Reading.', toolCalls: [{ id: `${at}`, name: 'readFile', input: '{}' }] },
    { role: 'tool', toolCallId: `${at}`, content: said.repeat(60) },
    { role: 'assistant', content: `Answer ${at}. ${said.repeat(20)}` },
  ]).flat();
  const usage = { inputTokens: null, outputTokens: null };
  return { system: 'Rules.', messages, usage, steps: 0, pending: [], repeated: { call: '', times: 0 } };
}

async function makeRoomIn(
  conversation: AgentConversation,
  contextTokens: number,
  answer: () => ModelEvent[] = () => says('They hunt at night.'),
) {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    provider: 'a',
    model: 'm',
    readWindow: async () => ({ contextTokens, from: 'server' as const }),
    async *stream(request) {
      asked.push(request);
      yield* answer();
    },
  };
  const run = { conversation, model, modelTools: [] };
  const parts: StreamPart[] = [];
  const making = makeRoom(run, await promptRoom(model), new AbortController().signal);
  for (;;) {
    const { done, value } = await making.next();
    if (done) return { request: value, asked, codes: parts.map((part) => codeOf(part)) };
    parts.push(value);
  }
}

function codeOf(part: StreamPart): unknown {
  return 'data' in part ? (part.data as { code: string }).code : part.type;
}

describe('makeRoom', () => {
  it('changes nothing, and calls no model, if the conversation fits', async () => {
    const conversation = conversationOf(2);
    const { request, asked, codes } = await makeRoomIn(conversation, 32_768);
    expect(request.messages).toBe(conversation.messages);
    expect([asked, codes]).toEqual([[], []]);
  });

  it('shortens old results before it summarizes, and reports it once', async () => {
    const conversation = conversationOf(12);
    const { request, asked, codes } = await makeRoomIn(conversation, 16_384);
    expect(request.messages).toHaveLength(conversation.messages.length);
    expect([asked, codes]).toEqual([[], ['context-shortened']]);
    expect((await makeRoomIn(conversation, 16_384)).codes).toEqual([]);
  });

  it('summarizes the earlier part if shortening is not enough, and keeps the latest request', async () => {
    const conversation = conversationOf(40);
    const { request, asked, codes } = await makeRoomIn(conversation, 16_384);
    expect(codes).toEqual(['context-summarized']);
    expect(asked).toHaveLength(1);
    expect(request.messages[0]?.content).toContain('They hunt at night.');
    expect(request.messages.map(({ content }) => content).join()).toContain('Request 39.');
    expect(conversation.messages.length).toBeLessThan(80);
    expect(conversation.usage).toEqual({ inputTokens: 10, outputTokens: 1 });
    const [first, second] = request.messages;
    expect([first?.role, second?.role]).not.toContain('tool');
  });

  it('keeps a request that is older than everything else', async () => {
    const steps = conversationOf(60).messages.filter(({ role }) => role !== 'user');
    const conversation = {
      ...conversationOf(0),
      messages: [{ role: 'user', content: 'Find it.' } as const, ...steps],
    };
    const { request } = await makeRoomIn(conversation, 16_384);
    expect(request.messages[0]?.content).toMatch(/They hunt at night\.\s+The current request:\n\nFind it\.$/);
  });

  it.each<[string, number, () => ModelEvent[]]>([
    [
      'the model fails',
      16_384,
      () => {
        throw new UpstreamFailed('model_failed', 'It failed.');
      },
    ],
    ['the model says nothing', 16_384, () => says('')],
    ['the window is small', 4096, () => says('A summary.')],
  ])('leaves out the oldest turns if %s', async (_, contextTokens, answer) => {
    const conversation = conversationOf(40);
    const { request, codes } = await makeRoomIn(conversation, contextTokens, answer);
    expect(codes).toEqual(['context-shortened']);
    expect(conversation.messages).toHaveLength(160);
    expect(request.messages.map(({ content }) => content).join()).toContain('Request 39.');
  });
});
