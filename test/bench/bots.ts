import { setTimeout as sleep } from 'node:timers/promises';
import { feishuEnvironment, startFakeFeishu } from '../support/fakes/fake-feishu.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { feishuCallback, feishuMessageEvent } from '../support/fakes/feishu-events.ts';
import { type Service, startService } from '../support/service.ts';
import { eventually } from '../support/sync.ts';
import { percentile, timed, timedEach } from './load.ts';
import { type BenchRow, ms } from './table.ts';

const TOKEN = 'verification-token';
const ENCRYPT_KEY = 'encrypt-key';
const EVENTS_A_SECOND = 50;
const SECONDS = 10;
const CHATS = 100;
const MODEL_MS = 3000;

/**
 * Measures the time until the platform gets its response while events arrive and runs wait for a slow model.
 */
export async function benchBots(): Promise<BenchRow[]> {
  const [feishu, provider] = await Promise.all([startFakeFeishu(), startFakeOpenai({ delayMs: MODEL_MS })]);
  const service = await startService({
    PROVIDER_A_BASE_URL: provider.url,
    ...feishuEnvironment(feishu, TOKEN),
    IMA_ENCRYPT_KEY: ENCRYPT_KEY,
    LOG_LEVEL: 'error',
  });
  try {
    await post(service, feishuMessageEvent(TOKEN, { chatId: 'oc_first' })); // loads the worker
    await eventually(
      async () => feishu.messages.length,
      (count) => count > 0,
    );
    const idle = await timedEach(50, () => post(service, feishuMessageEvent(TOKEN, { senderType: 'app' })));
    const loaded = await sendSteadily(service);
    return [
      {
        measure: `answer to an event, ${EVENTS_A_SECOND}/s with a model of ${MODEL_MS / 1000} s, p99`,
        ours: ms(percentile(loaded, 0.99)),
        baseline: `an event that is ignored, alone, p50 ${ms(percentile(idle, 0.5))}`,
        aim: 'under 300 ms',
        met: percentile(loaded, 0.99) < 300,
      },
    ];
  } finally {
    await service.stop();
    await Promise.all([feishu.stop(), provider.stop()]);
  }
}

/** Sends at fixed times, like a platform, even if earlier messages haven't been answered. */
async function sendSteadily(service: Service): Promise<number[]> {
  const started = performance.now();
  const answers: Promise<number>[] = [];
  for (let index = 0; index < EVENTS_A_SECOND * SECONDS; index++) {
    await sleep(Math.max(0, started + (index * 1000) / EVENTS_A_SECOND - performance.now()));
    const event = feishuMessageEvent(TOKEN, { chatId: `oc_${index % CHATS}`, content: { text: 'Hi' } });
    answers.push(timed(() => post(service, event)));
  }
  return Promise.all(answers);
}

async function post(service: Service, event: unknown): Promise<void> {
  const { body, headers } = feishuCallback(event, { encryptKey: ENCRYPT_KEY });
  const { status } = await service.call('POST', '/api/bot/ima', body, headers);
  if (status !== 200) throw new Error(`an event was answered with ${status}`);
}
