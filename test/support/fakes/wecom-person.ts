import { type Answer, type Service, startService } from '../service.ts';
import { eventually } from '../sync.ts';
import type { FakeWecom } from './fake-wecom.ts';
import {
  readWecomAnswer,
  sealedCallback,
  WECOM_KEYS,
  type WecomRequest,
  type WecomTestMessage,
  wecomMessage,
  wecomPath,
} from './wecom-callbacks.ts';

export function wecomEnvironment(fake: FakeWecom): Record<string, string> {
  return {
    IMB_BOT_ENABLED: 'true',
    IMB_BASE_URL: fake.url,
    IMB_CORP_ID: WECOM_KEYS.corpId,
    IMB_CORP_SECRET: fake.corpSecret,
    IMB_TOKEN: WECOM_KEYS.token,
    IMB_ENCODING_AES_KEY: WECOM_KEYS.encodingAesKey,
    IMB_AGENT_ID: '218',
  };
}

/** The service with its WeCom bot enabled. */
export function startWecomService(fake: FakeWecom, env: Record<string, string> = {}): Promise<Service> {
  return startService({ ...wecomEnvironment(fake), ...env });
}

export function postCallback(service: Service, { query, body }: WecomRequest): Promise<Answer<string>> {
  return service.call<string>('POST', wecomPath(query), body, { 'content-type': 'text/xml' });
}

/**
 * A user who writes to the app, and the messages that they see, in the responses to WeCom's requests and sent
 * separately.
 */
export function wecomPerson(service: Service, fake: FakeWecom, id: string) {
  const seen: { text: string; passive: boolean }[] = [];
  let heard = 0;

  function noteSent(): void {
    const sent = fake.shown.filter(({ to }) => to === id);
    const known = seen.filter(({ passive }) => !passive).length;
    for (const { text } of sent.slice(known)) seen.push({ text, passive: false });
  }
  async function say(message: WecomTestMessage | string): Promise<void> {
    const fields = typeof message === 'string' ? { text: message } : message;
    const answer = await postCallback(service, sealedCallback(wecomMessage({ from: id, ...fields })));
    if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}: ${answer.bytes}`);
    const text = readWecomAnswer(answer.body);
    noteSent();
    if (text !== undefined) seen.push({ text, passive: true });
  }
  /** Returns the next message, however it arrives. */
  async function hears(): Promise<string> {
    await eventually(
      async () => noteSent(),
      () => seen.length > heard,
    );
    heard += 1;
    return seen[heard - 1]?.text ?? '';
  }
  return {
    seen,
    say,
    hears,
    /** Sends a text, and returns the answer. */
    async asks(message: WecomTestMessage | string): Promise<string> {
      await say(message);
      return hears();
    },
  };
}
