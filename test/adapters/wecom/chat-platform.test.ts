import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { wecomChatPlatform } from '../../../lib/adapters/wecom/chat-platform.ts';
import { handOver, openPassiveReply, takePassiveReply } from '../../../lib/bots/wecom/passive-reply.ts';
import { TooLarge, TooManyRequests, UpstreamFailed } from '../../../lib/errors.ts';
import type { BotContent } from '../../../lib/ports/chat-platform.ts';
import { type FakeWecom, startFakeWecom } from '../../support/fakes/fake-wecom.ts';
import { newWecomId, WECOM_KEYS } from '../../support/fakes/wecom-callbacks.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const time = { offsetMs: 0 };
const clock = { now: () => Date.now() + time.offsetMs };
const ports = { records: sqliteRecords(openDatabase(await tempFolder()), clock), clock };
const SECRET = 'corp-secret';

let fake: FakeWecom;
beforeEach(async () => {
  fake = await startFakeWecom();
});

function open(settings: { baseUrl?: string; corpSecret?: string; agentId?: string } = {}) {
  const { corpId } = WECOM_KEYS;
  return wecomChatPlatform(
    { baseUrl: fake.url, corpId, corpSecret: SECRET, agentId: '218', ...settings },
    { ...ports, handOver: (messageId, offer) => handOver(ports, messageId, offer) },
  );
}

const says = (text: string): BotContent => ({ kind: 'text', text });
const callsOf = (path: string) => fake.calls.filter((call) => call.path === path).length;
const send = (platform: ReturnType<typeof open>, content: BotContent, key = newWecomId()) =>
  platform.send('li', content, { key });

describe('send', () => {
  it('sends a text to a person', async () => {
    expect(await send(open(), says('hello'))).toBeUndefined();
    expect(fake.shown).toEqual([{ to: 'li', text: 'hello' }]);
  });

  it('fetches one token for concurrent and later calls', async () => {
    const platform = open();
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(platform, says(`${index}`))));
    await send(platform, says('later'));
    expect(fake.shown).toHaveLength(21);
    expect(callsOf('gettoken')).toBe(1);
  });

  it('fetches a new token before the old one expires', async () => {
    const platform = open();
    await send(platform, says('one'));
    time.offsetMs += 7_200_000 - 170_000;
    await send(platform, says('two'));
    expect(callsOf('gettoken')).toBe(2);
  });

  it('fetches a new token, once for all callers, after WeCom revoked it', async () => {
    const platform = open();
    await send(platform, says('one'));
    fake.expireTokens();
    await Promise.all(['two', 'three', 'four'].map((text) => send(platform, says(text))));
    expect(fake.shown).toHaveLength(4);
    expect(callsOf('gettoken')).toBe(2);
  });

  it.each([40014, 41001, 42001])('fetches a new token for %i only once, then fails', async (errcode) => {
    const platform = open();
    fake.failWith = [errcode];
    await send(platform, says('one'));
    expect(fake.shown).toHaveLength(1);
    fake.failWith = [errcode, errcode, errcode];
    await expect(send(platform, says('two'))).rejects.toThrow(UpstreamFailed);
    expect(fake.failWith).toHaveLength(1);
  });

  it('retries while WeCom is busy', async () => {
    fake.failWith = [-1];
    await send(open(), says('hello'));
    expect(fake.shown).toHaveLength(1);
  });

  it('throws TooManyRequests at a rate limit', async () => {
    fake.failWith = [45009];
    await expect(send(open(), says('hello'))).rejects.toThrow(TooManyRequests);
  });

  it.each([
    ['a wrong secret', { corpSecret: 'other-secret' }, 'WeCom does not accept IMB_CORP_SECRET (40001).'],
    ['a wrong agent', { agentId: '219' }, 'WeCom does not know IMB_AGENT_ID (40056).'],
  ])("reports the cause of %s without WeCom's message", async (_, settings, message) => {
    await expect(send(open(settings), says('hello'))).rejects.toThrow(
      new UpstreamFailed('upstream_failed', message),
    );
  });

  it("reports that the service's IP address is not trusted", async () => {
    fake.failWith = [60020];
    await expect(send(open(), says('hello'))).rejects.toThrow(/\(60020\).*trusted IPs/);
  });

  it('fails for an unknown user', async () => {
    const sending = open().send('nobody', says('hello'), { key: newWecomId() });
    await expect(sending).rejects.toThrow(/does not know this person/);
  });

  it("fails with an error that doesn't contain the token if no server, or the wrong one, answers", async () => {
    const server = createServer(
      (_, response) => void response.writeHead(502).end('<html>Bad Gateway</html>'),
    );
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    whenDone(async () => void server.close().closeAllConnections());
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const baseUrl of [elsewhere, 'http://127.0.0.1:1']) {
      const error = await send(open({ baseUrl }), says('hello')).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UpstreamFailed);
      const { message, cause } = error as Error;
      expect(`${message} ${cause}`).not.toContain(SECRET);
    }
  });
});

describe('long text', () => {
  const long = Array.from({ length: 300 }, (_, index) => `Line ${index}: 字字字😀.`).join('\n');

  it("is sent in parts that WeCom doesn't truncate", async () => {
    await send(open(), says(long));
    expect(fake.shown.length).toBeGreaterThan(3);
    expect(fake.shown.map(({ text }) => text).join('')).toBe(long);
  });

  it('continues after the last sent part when it is sent again under its key', async () => {
    const platform = open();
    const key = newWecomId();
    fake.failWith = [0, 0, 45009];
    await expect(send(platform, says(long), key)).rejects.toThrow(TooManyRequests);
    expect(fake.shown).toHaveLength(2);
    await send(platform, says(long), key);
    expect(fake.shown.map(({ text }) => text).join('')).toBe(long);
  });

  it('is truncated after twenty messages, with a note', async () => {
    const key = newWecomId();
    for (let count = 0; count < 2; count++) await send(open(), says('Owls hunt. '.repeat(9000)), key);
    expect(fake.shown).toHaveLength(20);
    expect(fake.shown.at(-1)?.text).toMatch(/\n… and \d+ more characters, too many for this chat\. Ask for/);
  });
});

describe('idempotency key', () => {
  it('sends a text once per key', async () => {
    const key = newWecomId();
    await send(open(), says('hello'), key);
    await send(open(), says('hello'), key);
    await send(open(), says('hello'));
    expect(fake.shown).toHaveLength(2);
  });

  it("sends a text once even if WeCom's response was lost", async () => {
    const key = newWecomId();
    fake.cutNextAnswer = true;
    await expect(send(open(), says('hello'), key)).rejects.toThrow(UpstreamFailed);
    await send(open(), says('hello'), key);
    expect(fake.shown).toEqual([{ to: 'li', text: 'hello' }]);
    expect(fake.duplicates).toBe(1);
  });
});

const progress = {
  kind: 'progress' as const,
  step: 1,
  maxSteps: 50,
  calls: [],
  text: 'so far',
  workspace: '/w',
  notices: [] as string[],
};
const asks = (id: string) => ({
  id,
  number: Number(id),
  runId: 'r',
  toolName: 'submitJob',
  summary: `Start job ${id}`,
  input: { name: id } as unknown,
  approvable: true,
  note: '',
  always: null,
});

describe('shown text', () => {
  it.each<[string, BotContent, unknown]>([
    ['no progress', { ...progress, approvals: [] }, undefined],
    [
      'an approval',
      { ...progress, approvals: [asks('1')] },
      'Waiting for your approval:\nStart job 1\nsubmitJob {\n  "name": "1"\n}\nAnswer /approve or /deny.',
    ],
    [
      'several approvals',
      { ...progress, approvals: [asks('1'), asks('3')] },
      expect.stringMatching(
        /^Waiting for your approval:\n1\. Start job 1\n[\s\S]*\n3\. Start job 3\n[\s\S]*\nAnswer \/approve 1, \/deny 3, and so on\.$/,
      ),
    ],
    [
      "an approval that can't be shown completely",
      { ...progress, approvals: [{ ...asks('1'), approvable: false, note: 'Not here.' }] },
      expect.stringMatching(/\nNot here\.\nAnswer \/deny\.$/),
    ],
    [
      'an approval that a rule can answer, with the words to type',
      { ...progress, approvals: [{ ...asks('1'), toolName: 'bash', always: 'git pull' }] },
      expect.stringMatching(
        /\nTo always allow bash to do exactly this in this workspace: \/always 1 git pull\nAnswer \/approve or \/deny\.$/,
      ),
    ],
    ['empty for a notice alone', { ...progress, approvals: [], notices: ['Nothing is near.'] }, undefined],
    [
      'an answer with its notice',
      { kind: 'final', calls: [], text: 'No.', workspace: '/w', seconds: 3, notices: ['Nothing is near.'] },
      'No.\n\nℹ️ Nothing is near.',
    ],
    [
      'an answer as the model wrote it',
      { kind: 'final', calls: [], text: '**Owls** hunt.', workspace: '/w', seconds: 3, notices: [] },
      '**Owls** hunt.',
    ],
    ['an error', { kind: 'error', text: 'The run failed.' }, '❌ The run failed.'],
    ['a command', { kind: 'command', command: 'mode', ok: true, text: '**Mode**: ask' }, 'Mode: ask'],
    ['a command that failed', { kind: 'command', command: 'mode', ok: false, text: 'No.' }, '❌ /mode\nNo.'],
    ['empty for an empty text', { kind: 'text', text: ' \n' }, undefined],
    ['an unpaired surrogate as a replacement character', { kind: 'text', text: 'a\ud800' }, 'a\ufffd'],
  ])('is %s', async (_, content, expected) => {
    await send(open(), content);
    expect(fake.shown.map(({ text }) => text)).toEqual(expected === undefined ? [] : [expected]);
  });
});

it('send shows every approval if all arguments are long', async () => {
  const approvals = ['1', '2', '3'].map((id) => ({ ...asks(id), input: '字'.repeat(9000) }));
  await send(open(), { ...progress, approvals });
  expect(open().cutApprovals(approvals)).toEqual(['1', '2', '3']);
  const text = fake.shown.map((message) => message.text).join('');
  expect(text.match(/Start job \d|and \d+ more characters/g)).toHaveLength(6);
  expect(text).toMatch(/Answer \/approve 1, \/deny 2, and so on\.$/);
});

it.each([
  [['1'], 5900, []],
  [['1'], 6000, ['1']],
  [['1', '2'], 2900, []],
  [['1', '2'], 3000, ['1', '2']],
])(
  'cutApprovals reports which of the approvals %j with %i characters each are cut',
  async (ids, length, cut) => {
    const approvals = ids.map((id) => ({ ...asks(id), input: 'x'.repeat(length) }));
    expect(open().cutApprovals(approvals)).toEqual(cut);
    await send(open(), { ...progress, approvals });
    const text = fake.shown.map((message) => message.text).join('');
    expect(text.split('x'.repeat(length))).toHaveLength(ids.length - cut.length + 1);
  },
);

it('send sends a file once per key', async () => {
  const file = { name: 'a.json', bytes: Buffer.from('{"all": "of it"}') };
  const key = newWecomId();
  await open().sendFile('li', file, { key });
  await open().sendFile('li', file, { key });
  expect(fake.files).toEqual([{ to: 'li', name: 'a.json', text: '{"all": "of it"}' }]);
  fake.failWith = [40009];
  await expect(open().sendFile('li', file, { key: newWecomId() })).rejects.toThrow(UpstreamFailed);
});

describe('reply to a message with a pending callback', () => {
  const LONG = 3_600_000;

  async function openRequest() {
    const messageId = newWecomId();
    await openPassiveReply(ports, messageId, clock.now() + LONG);
    return messageId;
  }

  it('is sent in the response of the callback, and not again', async () => {
    const messageId = await openRequest();
    const sending = open().send('li', says('hello'), { key: newWecomId(), replyTo: messageId });
    expect(await takePassiveReply(ports, messageId, clock.now() + LONG)).toBe('hello');
    await sending;
    expect(fake.calls).toEqual([]);
  });

  it('is sent separately if it needs several parts', async () => {
    const messageId = await openRequest();
    await open().send('li', says('x'.repeat(2049)), { key: newWecomId(), replyTo: messageId });
    expect(fake.shown).toHaveLength(2);
    expect(await takePassiveReply(ports, messageId, 0)).toBeUndefined();
  });
});

describe('download', () => {
  const download = (key: string, maxBytes = 1000) => open().download('message', key, { maxBytes });

  it('returns a file, even one that looks like an error', async () => {
    for (const text of ['hello', '{"errcode":40007}']) {
      fake.media.set('m', { name: 'a.txt', bytes: Buffer.from(text) });
      expect(Buffer.from(await download('m')).toString()).toBe(text);
    }
  });

  it('rejects a file over the limit', async () => {
    fake.media.set('m', { name: 'a.txt', bytes: Buffer.alloc(1001) });
    await expect(download('m')).rejects.toThrow(TooLarge);
    fake.media.set('m', { name: 'a.txt', bytes: Buffer.alloc(1000) });
    expect(await download('m')).toHaveLength(1000);
  });

  it('distinguishes an error from a file, both with status 200', async () => {
    await expect(download('gone')).rejects.toThrow(/does not have the file/);
  });

  it('stops when it is aborted', async () => {
    fake.media.set('m', { name: 'a.txt', bytes: Buffer.from('hello') });
    const signal = AbortSignal.abort(new Error('called off'));
    await expect(open().download('message', 'm', { maxBytes: 10, signal })).rejects.toThrow('called off');
  });
});
