import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requireWecomKeys } from '../../../lib/bots/settings.ts';
import { readConfig } from '../../../lib/config.ts';
import { NotConfigured } from '../../../lib/errors.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type FakeWecom, startFakeWecom } from '../../support/fakes/fake-wecom.ts';
import {
  newWecomId,
  plainCallback,
  readWecomAnswer,
  sealedCallback,
  WECOM_KEYS,
  type WecomRequest,
  wecomMessage,
  wecomPath,
} from '../../support/fakes/wecom-callbacks.ts';
import {
  postCallback,
  startWecomService,
  wecomEnvironment,
  wecomPerson,
} from '../../support/fakes/wecom-person.ts';
import type { Answer, Service } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';

const { wecom: vectors } = JSON.parse(
  readFileSync(new URL('../../golden/bot-vectors.json', import.meta.url), 'utf8'),
) as { wecom: { verifyUrl: Record<string, string> } };

let fake: FakeWecom;
let provider: FakeOpenai;
let service: Service;

beforeAll(async () => {
  fake = await startFakeWecom();
  provider = await startFakeOpenai({ answer: () => 'Good evening.' });
  whenDone(() => provider.stop());
  // WeCom has no token of the service; its signature is the credential.
  const env = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk-very-secret', AUTH_MODE: 'token' };
  service = await startWecomService(fake, env);
});
afterAll(() => {
  expect(service.output()).not.toMatch(/sk-very-secret|corp-secret|QDG6eK|jWmYm7qr5nMo/);
});

describe('GET /api/bot/imb', () => {
  const { msg_signature = '', timestamp = '', nonce = '', echostr = '', plain } = vectors.verifyUrl;

  it('answers the URL verification with only the plain text', async () => {
    const answer = await service.call('GET', wecomPath({ msg_signature, timestamp, nonce, echostr }));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.bytes.toString()).toBe(plain);
  });

  it('answers the URL verification even if the echo contains an unencoded plus sign', async () => {
    const rest = new URLSearchParams({ msg_signature, timestamp, nonce });
    const answer = await service.call(
      'GET',
      `/api/bot/imb?${rest}&echostr=${echostr.replaceAll('/', '%2F')}`,
    );
    expect(answer.bytes.toString()).toBe(plain);
  });

  it.each([
    ['no query', {}],
    ['a wrong signature', { msg_signature: '0'.repeat(40), timestamp, nonce, echostr }],
    ['another echo', { msg_signature, timestamp, nonce, echostr: `A${echostr.slice(1)}` }],
    ['no echo', { msg_signature, timestamp, nonce }],
  ])('returns 401 for %s', async (_, query) => {
    const answer = await service.call('GET', wecomPath(query));
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: 'This callback could not be verified as coming from WeCom.' },
    ]);
  });
});

describe('POST /api/bot/imb', () => {
  /** Asks again if the worker isn't ready in time. */
  async function askHelp(toRequest: (xml: string) => WecomRequest): Promise<Answer<string>> {
    return eventually(
      () => postCallback(service, toRequest(wecomMessage({ text: '/help' }))),
      ({ status, body }) => status !== 200 || body !== '',
    );
  }

  it('answers an encrypted message with encrypted XML', async () => {
    const { headers, body } = await askHelp(sealedCallback);
    expect(headers['content-type']).toMatch(/^text\/xml/);
    expect(body).toMatch(/^<xml><Encrypt>/);
    expect(readWecomAnswer(body)).toContain('/workspace');
  });

  it.each([true, false])(
    'answers plaintext with the plain XML of the specification (signed body: %p)',
    async (overBody) => {
      const { body } = await askHelp((xml) => plainCallback(xml, { overBody }));
      expect(body).toMatch(/<MsgType><!\[CDATA\[text\]\]><\/MsgType><Content><!\[CDATA\[.*\/workspace/s);
    },
  );

  it('answers a message once, however often WeCom redelivers it', async () => {
    const before = provider.chatRequests;
    const request = sealedCallback(wecomMessage({ from: 'ann', text: 'Hello.' }));
    const answers = [];
    for (let tries = 0; tries < 4; tries++) answers.push(await postCallback(service, request));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ann = wecomPerson(service, fake, 'ann');
    const texts = new Set(answers.flatMap(({ body }) => readWecomAnswer(body) ?? []));
    const [heard = await ann.hears(), ...more] = texts;
    expect(more).toEqual([]);
    expect(heard).toMatch(/^Good evening\.\n\n.*called no tool/);
    expect(fake.shown.filter(({ to }) => to === 'ann')).toHaveLength(texts.size === 0 ? 1 : 0);
    expect(provider.chatRequests).toBe(before + 1);
  });

  it('recognizes an event and does nothing', async () => {
    const event = wecomMessage({ type: 'event', fields: { Event: 'enter_agent', MsgId: '' } });
    const answer = await postCallback(service, sealedCallback(event));
    expect([answer.status, answer.body]).toEqual([200, '']);
  });

  const valid = () => wecomMessage({ text: 'hello' });
  const stranger = { ...WECOM_KEYS, token: 'other' };
  const old = Date.now() - 2 * 3_600_000;

  it.each([
    [
      'no query',
      () => ({ ...plainCallback(valid()), query: {} }),
      401,
      'This callback could not be verified as coming from WeCom.',
    ],
    [
      'another token',
      () => sealedCallback(valid(), Date.now(), stranger),
      401,
      'This callback could not be verified as coming from WeCom.',
    ],
    [
      'another body',
      () => ({ ...sealedCallback(valid()), body: sealedCallback(valid()).body }),
      401,
      'This callback could not be verified as coming from WeCom.',
    ],
    [
      'an earlier body',
      () => sealedCallback(valid(), old),
      401,
      'This callback could not be verified as coming from WeCom.',
    ],
    [
      'another company',
      () => sealedFor('wx0000000000000000'),
      401,
      "This message can't be decrypted. Check IMB_ENCODING_AES_KEY.",
    ],
    ['no body', () => plainCallback(''), 400, "body isn't the XML of a message."],
    ['JSON', () => plainCallback('{"text":"hello"}'), 400, "body isn't the XML of a message."],
    [
      'no sender',
      () => sealedCallback('<xml><MsgType>text</MsgType></xml>'),
      400,
      'body has a missing or invalid FromUserName.',
    ],
    ['no ID', () => sealedCallback(wecomMessage({ fields: { MsgId: '' } })), 400, 'body has no MsgId.'],
    [
      'a huge body',
      () => plainCallback(wecomMessage({ text: 'x'.repeat(65_536) })),
      413,
      'The body can have at most 65536 bytes.',
    ],
  ])('answers %s with its error', async (_, request, status, error) => {
    const answer = await postCallback(service, request() as ReturnType<typeof sealedCallback>);
    expect([answer.status, answer.body]).toEqual([status, { error }]);
  });

  it('survives arbitrary untrusted requests, and reveals nothing', async () => {
    const samples = fc.sample(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `<xml><Encrypt>${text}`),
      ),
      {
        numRuns: 40,
        seed: 8,
      },
    );
    for (const text of samples) {
      const query = {
        msg_signature: newWecomId(),
        timestamp: String(Math.floor(Date.now() / 1000)),
        nonce: '1',
      };
      const answer = await postCallback(service, { query, body: Buffer.from(text) });
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'This callback could not be verified as coming from WeCom.' },
      ]);
    }
  });
});

describe('WeCom without its settings', () => {
  it.each(['IMB_CORP_ID', 'IMB_CORP_SECRET', 'IMB_TOKEN', 'IMB_ENCODING_AES_KEY', 'IMB_AGENT_ID'])(
    'reports %s if it is missing',
    (variable) => {
      const { bots } = readConfig({ ...wecomEnvironment(fake), [variable]: undefined });
      expect(() => requireWecomKeys(bots)).toThrow(
        new NotConfigured('not_configured', `${variable} is not set.`),
      );
    },
  );
});

/** Seals a message with the token, but for another company. */
function sealedFor(corpId: string) {
  return sealedCallback(wecomMessage({ text: 'hello' }), Date.now(), { ...WECOM_KEYS, corpId });
}
