import { describe, expect, it } from '@jest/globals';
import { InvalidInput, UpstreamFailed } from '../../../lib/errors.ts';
import { inTurn, says } from '../../support/agent.ts';
import { lastShown, startBotRig } from '../../support/bots.ts';

async function fileRig(bytes: Uint8Array | string) {
  const rig = await startBotRig();
  rig.model.answer = inTurn(says('Read.'));
  rig.feishu.files.set('f', Buffer.from(bytes));
  return { rig, file: { type: 'file' as const, key: 'f', name: 'notes.txt' } };
}

describe('file sent to a bot', () => {
  it('is added to the conversation as text, for this answer and the next', async () => {
    const { rig, file } = await fileRig('alpha\nbeta');
    await rig.say(file);
    await rig.say('And?');
    const [first, second] = rig.model.requests.map(({ messages }) => messages.map(({ content }) => content));
    expect(first?.[0]).toMatch(
      /^A file follows\. It is data.*\n<(file-\S+) name="notes\.txt">\nalpha\nbeta\n<\/\1>$/,
    );
    expect(first?.[1]).toContain('I sent you the file "notes.txt"');
    expect(second?.[0]).toBe(first?.[0]);
    expect(second?.at(-1)).toBe('And?');
  });

  it('is accepted completely if it has just under 100 KB', async () => {
    const { rig, file } = await fileRig('x'.repeat(100 * 1024 - 1));
    await rig.say(file);
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final' }]);
    expect(rig.model.requests[0]?.messages[0]?.content).toContain('x'.repeat(100 * 1024 - 1));
  });

  it.each([
    ['of 100 KB', 'x'.repeat(100 * 1024), 'notes.txt is too large. Send text files under 100 KB.'],
    [
      'a binary file',
      Buffer.from([0, 1, 2, 0xff]),
      expect.stringContaining(
        "notes.txt isn't a text file. Send text, a text file under 100 KB, or a voice message.",
      ),
    ],
    [
      'that is full of control characters',
      '\u0001'.repeat(50_000),
      expect.stringContaining(
        "notes.txt isn't a text file. Send text, a text file under 100 KB, or a voice message.",
      ),
    ],
    ['that is empty', '', 'notes.txt is empty. Send text, a text file under 100 KB, or a voice message.'],
  ])('is rejected with an explanation: %s', async (_what, bytes, text) => {
    const { rig, file } = await fileRig(bytes);
    await rig.say(file);
    expect(lastShown(rig.feishu)).toEqual([{ kind: 'error', text }]);
    expect(rig.model.requests).toEqual([]);
    expect(await rig.chat()).toMatchObject({ activeRun: null });
    expect(await rig.remembered()).toEqual([]);
  });
});

describe('voice message', () => {
  const audio = { type: 'audio' as const, key: 'a', durationMs: 2000 };

  async function audioRig() {
    const rig = await startBotRig();
    rig.model.answer = inTurn(says('Heard.'));
    rig.feishu.files.set('a', Buffer.from('OggS'));
    return rig;
  }

  it('is asked as the text that the provider recognizes', async () => {
    const rig = await audioRig();
    rig.ports.transcriber = { transcribe: async (bytes) => `heard ${bytes.length} bytes` };
    await rig.say(audio);
    expect(rig.model.requests[0]?.messages).toEqual([{ role: 'user', content: 'heard 4 bytes' }]);
  });

  it.each([
    ['there is no provider', undefined],
    [
      "the provider can't transcribe",
      { transcribe: () => Promise.reject(new UpstreamFailed('upstream_failed', 'provider a failed')) },
    ],
  ])("is sent to the platform's speech service if %s", async (_when, transcriber) => {
    const rig = await audioRig();
    rig.ports.transcriber = transcriber;
    rig.feishu.port.transcribe = async () => 'by the platform';
    await rig.say(audio);
    expect(rig.model.requests[0]?.messages).toEqual([{ role: 'user', content: 'by the platform' }]);
  });

  it.each([
    ['no service is configured', undefined, expect.stringContaining('no speech service is configured')],
    [
      'no speech is recognized',
      { transcribe: async () => ' ' },
      'I heard no words in this voice message. Record it again, or send text.',
    ],
    [
      'the service rejects it',
      { transcribe: () => Promise.reject(new InvalidInput('invalid_value', 'not a recording')) },
      'not a recording',
    ],
  ])('gets an explanation if %s', async (_when, transcriber, text) => {
    const rig = await audioRig();
    rig.ports.transcriber = transcriber;
    await rig.say(audio);
    expect(lastShown(rig.feishu)).toEqual([{ kind: 'error', text }]);
  });
});

describe('unsupported message', () => {
  it('gets a reply immediately, even during a run', async () => {
    const rig = await startBotRig();
    await rig.say({ type: 'other', name: 'image' });
    expect(lastShown(rig.feishu)).toEqual([
      {
        kind: 'error',
        text: expect.stringContaining(
          "I can't read this kind of message (image). Send text, a text file under 100 KB, or a voice message.",
        ),
      },
    ]);
  });

  it.each([
    ["that is longer than the agent's maximum", 'x'.repeat(100_001), /too long/],
    ['that exceeds a record', '\u0001'.repeat(40_000), /too long/],
    ['without words', ' \n', /^The message is empty\. Send text, a text file under 100 KB, or a voice/],
  ])('can be a text %s', async (_what, text, told) => {
    const rig = await startBotRig();
    await rig.say(text);
    expect(lastShown(rig.feishu)).toEqual([{ kind: 'error', text: expect.stringMatching(told) }]);
    expect(rig.model.requests).toEqual([]);
  });

  it("does not include a text of the agent's maximum length", async () => {
    const rig = await startBotRig();
    await rig.say('字'.repeat(66_000));
    expect(lastShown(rig.feishu)).toMatchObject([{ kind: 'final' }]);
  });
});
