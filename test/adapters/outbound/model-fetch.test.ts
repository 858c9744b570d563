import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { anthropicLanguageModel } from '../../../lib/adapters/anthropic/language-model.ts';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import { openaiTranscriber } from '../../../lib/adapters/openai/transcriber.ts';
import type { ServerGuard } from '../../../lib/config/models.ts';
import type { LanguageModel } from '../../../lib/ports/language-model.ts';
import { startFakeAnthropic } from '../../support/fakes/fake-anthropic.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { makeCertificate } from '../../support/fakes/git-server.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const proxy = { http: undefined, https: undefined, no: undefined };
const guard: ServerGuard = { policy: 'host', proxy };
const onAws: ServerGuard = { policy: 'cloud', proxy };
const openai = await startFakeOpenai({ answer: () => ['Owls ', 'hunt.'] });
const anthropic = await startFakeAnthropic();
whenDone(() => Promise.all([openai.stop(), anthropic.stop()]));

async function answerOf(model: LanguageModel, signal?: AbortSignal): Promise<string> {
  const request = {
    system: '',
    messages: [{ role: 'user' as const, content: 'When?' }],
    ...(signal && { signal }),
  };
  let text = '';
  for await (const event of model.stream(request)) if (event.type === 'text') text += event.text;
  return text;
}

function chat(baseUrl: string, by = guard): LanguageModel {
  return openaiLanguageModel({ provider: 'a', model: 'm', apiKey: 'k', baseUrl, guard: by });
}

describe('server configured by the operator', () => {
  it('is not followed to another URL, which would receive the prompt', async () => {
    const server = createServer((_, response) =>
      response.writeHead(307, { location: `${openai.url}/chat/completions` }).end(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    whenDone(async () => void server.close());
    const asked = openai.chatRequests;
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = openaiLanguageModel({ provider: 'a', model: 'm', baseUrl });
    await expect(answerOf(model)).rejects.toThrow(/redirects to another address/);
    expect(openai.chatRequests).toBe(asked);
  });
});

describe('server configured in the settings', () => {
  it('streams answers, embeds, and transcribes, like a server that the operator configured', async () => {
    expect(await answerOf(chat(openai.url))).toBe('Owls hunt.');
    const claude = anthropicLanguageModel({ model: 'm', apiKey: 'k', baseUrl: anthropic.url, guard });
    expect((await answerOf(claude)).length).toBeGreaterThan(0);
    const embedder = openaiEmbedder({ who: 'It', settings: { baseUrl: openai.url, guard }, model: 'm' });
    expect(await embedder.embed(['a', 'b'])).toHaveLength(2);
    openai.transcript = 'Hello.';
    const transcriber = openaiTranscriber('It', { baseUrl: openai.url, guard });
    expect(await transcriber.transcribe(new TextEncoder().encode('OggS and some sound'))).toBe('Hello.');
    expect(openai.recordings[0]?.toString()).toContain('OggS and some sound');
  });

  it('is disconnected when the reader stops', async () => {
    const stop = new AbortController();
    openai.delayMs = 5000;
    const answer = answerOf(chat(openai.url), stop.signal);
    setTimeout(() => stop.abort(), 100);
    await expect(answer).rejects.toThrow(/abort/i);
    openai.delayMs = 0;
  });

  it('is not reached at a cloud metadata address, by IP address or by name', async () => {
    const before = openai.chatRequests;
    const port = new URL(openai.url).port;
    for (const [host, by] of [
      ['127.0.0.1', onAws],
      ['[::1]', onAws],
      ['localhost', onAws],
      ['169.254.169.254', guard],
    ] as const)
      await expect(answerOf(chat(`http://${host}:${port}/v1`, by))).rejects.toMatchObject({
        code: 'model_unreachable',
      });
    expect(openai.chatRequests).toBe(before);
  });

  it('reports its own error code if its certificate is not trusted', async () => {
    const { caFile, keyFile } = await makeCertificate(await tempFolder(), 'localhost');
    const [cert, key] = await Promise.all([readFile(caFile), readFile(keyFile)]);
    const server = createHttps({ cert, key }, (_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    whenDone(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    for (const by of [guard, undefined])
      await expect(
        answerOf(
          openaiLanguageModel({
            provider: 'a',
            model: 'm',
            baseUrl: `https://127.0.0.1:${port}/v1`,
            guard: by,
          }),
        ),
      ).rejects.toMatchObject({ code: 'model_certificate_refused' });
  });
});
