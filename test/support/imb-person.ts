import type { FakeImb } from './fake-imb.ts';
import {
  IMB_KEYS,
  type ImbRequest,
  type ImbTestMessage,
  imbMessage,
  imbPath,
  readImbAnswer,
  sealedCallback,
} from './imb-callbacks.ts';
import { type Answer, type Service, startService } from './service.ts';
import { eventually } from './sync.ts';

export function imbEnvironment(fake: FakeImb): Record<string, string> {
  return {
    IMB_BOT_ENABLED: 'true',
    IMB_BASE_URL: fake.url,
    IMB_CORP_ID: IMB_KEYS.corpId,
    IMB_CORP_SECRET: fake.corpSecret,
    IMB_TOKEN: IMB_KEYS.token,
    IMB_ENCODING_AES_KEY: IMB_KEYS.encodingAesKey,
    IMB_AGENT_ID: '218',
  };
}

/** The service with its bot on platform B switched on. */
export function startImbService(fake: FakeImb, env: Record<string, string> = {}): Promise<Service> {
  return startService({ ...imbEnvironment(fake), ...env });
}

export function postCallback(service: Service, { query, body }: ImbRequest): Promise<Answer<string>> {
  return service.call<string>('POST', imbPath(query), body, { 'content-type': 'text/xml' });
}

/** Somebody who writes to the app, and what they see of it: in the answers to the platform's requests, and sent. */
export function imbPerson(service: Service, fake: FakeImb, id: string) {
  const seen: { text: string; passive: boolean }[] = [];
  let heard = 0;

  function noteSent(): void {
    const sent = fake.shown.filter(({ to }) => to === id);
    const known = seen.filter(({ passive }) => !passive).length;
    for (const { text } of sent.slice(known)) seen.push({ text, passive: false });
  }
  async function say(message: ImbTestMessage | string): Promise<void> {
    const fields = typeof message === 'string' ? { text: message } : message;
    const answer = await postCallback(service, sealedCallback(imbMessage({ from: id, ...fields })));
    if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}: ${answer.bytes}`);
    const text = readImbAnswer(answer.body);
    noteSent();
    if (text !== undefined) seen.push({ text, passive: true });
  }
  /** The message that comes next, whichever way. */
  async function hears(): Promise<string> {
    await eventually(
      async () => noteSent(),
      () => seen.length > heard,
      60_000,
    );
    heard += 1;
    return seen[heard - 1]?.text ?? '';
  }
  return {
    seen,
    say,
    hears,
    /** Says something, and hears the answer. */
    async asks(message: ImbTestMessage | string): Promise<string> {
      await say(message);
      return hears();
    },
  };
}
