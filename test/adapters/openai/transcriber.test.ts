import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../lib/config.ts';
import { InvalidInput, UpstreamFailed } from '../../../lib/errors.ts';
import { openTranscriber } from '../../../lib/wiring/transcriber.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { oggOpus } from '../../support/samples/ogg-opus.ts';

let provider: FakeOpenai;
beforeAll(async () => {
  provider = await startFakeOpenai();
});
beforeEach(() => {
  provider.transcript = ' what was said\n';
  provider.failure = undefined;
  provider.recordings = [];
});
afterAll(() => provider.stop());

const open = () =>
  openTranscriber(readConfig({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'key-a' }));

describe('OpenAI transcriber', () => {
  it('is available only with OpenAI configured', () => {
    expect(openTranscriber(readConfig({ PROVIDER_B_API_KEY: 'key-b' }))).toBeUndefined();
  });

  it.each([
    ['audio.ogg', oggOpus(1)],
    ['audio.wav', Buffer.from('RIFF....WAVEfmt ')],
    ['audio.m4a', Buffer.from('\0\0\0\x18ftypM4A ')],
  ])('sends a recording with a file name in its format: %s', async (name, bytes) => {
    expect(await open()?.transcribe(bytes)).toBe('what was said');
    const body = provider.recordings[0]?.toString('latin1') ?? '';
    expect(body).toContain(`filename="${name}"`);
    expect(body).toContain(bytes.toString('latin1'));
    expect(body).toContain('whisper-1');
  });

  it.each([
    ['an unsupported format', Buffer.from('#!AMR\n....')],
    ['nothing', Buffer.alloc(0)],
    ['over 25 MB', Buffer.alloc(25 * 1024 * 1024 + 1)],
  ])('rejects %s before sending it', async (_, bytes) => {
    await expect(open()?.transcribe(bytes)).rejects.toThrow(InvalidInput);
    expect(provider.recordings).toHaveLength(0);
  });

  it("reports the failure without the provider's own message", async () => {
    provider.failure = 'unauthorized';
    await expect(open()?.transcribe(oggOpus(1))).rejects.toThrow(
      'The OpenAI-compatible endpoint refused the key.',
    );
    provider.failure = undefined;
    provider.transcript = undefined;
    await expect(open()?.transcribe(oggOpus(1))).rejects.toThrow(UpstreamFailed);
  });
});
