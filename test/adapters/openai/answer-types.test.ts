import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import type { ModelEvent, ModelRequest } from '../../../lib/ports/language-model.ts';

const HELLO: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] };

function chunk(delta: Record<string, unknown>, reason: string | null = null) {
  return { choices: [{ index: 0, delta, finish_reason: reason }] };
}

const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('response of unknown type', () => {
  async function answerOf(type: string, body: string, pieceBytes = body.length): Promise<ModelEvent[]> {
    const server = createServer(async (_, response) => {
      response.writeHead(200, { 'content-type': type });
      for (let at = 0; at < body.length; at += pieceBytes) {
        response.write(body.slice(at, at + pieceBytes));
        await setImmediate();
      }
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const model = openaiLanguageModel({ provider: 'a', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' });
    try {
      return await Array.fromAsync(model.stream(HELLO));
    } finally {
      server.close();
    }
  }
  const lines = (...chunks: object[]) => chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');

  it.each([
    ['application/json', 1000],
    ['text/plain', 1000],
    ['text/html', 1000],
    ['text/event-stream', 1],
    ['text/plain', 1],
  ])('is read as a stream by its first bytes: %s, %i bytes at a time', async (type, bytes) => {
    const body = `\n\n: hi\n\n${lines(chunk({ content: 'Owls.' }), chunk({}, 'length'))}data: [DONE]\n\n`;
    const events = await answerOf(type, body, bytes);
    expect([textOf(events), events.at(-1)]).toEqual(['Owls.', expect.objectContaining({ reason: 'length' })]);
  });

  it.each(['application/json', 'text/event-stream', 'text/plain'])(
    'is read as one message: %s',
    async (type) => {
      const choices = [{ message: { role: 'assistant', content: 'All at once.' }, finish_reason: 'length' }];
      const events = await answerOf(type, JSON.stringify({ choices }), 7);
      expect(textOf(events)).toBe('All at once.');
      expect(events.at(-1)).toMatchObject({ reason: 'length' });
    },
  );

  it("in the format of Ollama's own API is reported as a wrong URL", async () => {
    const body = '{"message":{"content":"Owls."},"done":false}\n{"done":true}\n';
    await expect(answerOf('application/x-ndjson', body)).rejects.toMatchObject({ code: 'model_url_wrong' });
  });

  it.each(['text/plain', 'application/json'])('limits the size of its chunks: %s', async (type) => {
    const fields = Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`k${at}`, 1]));
    const body = lines({ x: fields }, chunk({ content: 'Owls.' }, 'stop'));
    await expect(answerOf(type, body)).rejects.toMatchObject({ code: 'model_answer_unusable' });
  });
});
