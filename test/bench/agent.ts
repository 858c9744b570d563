import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { residentMegabytes } from '../support/processes/process-memory.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { measureLoad } from './load.ts';
import { closePosts, MODEL_BODY, post } from './post.ts';
import { type BenchRow, perSecond } from './table.ts';

/** V8 returns memory only when the process is idle, and idle worker threads end. */
const REST_MS = 15_000;
/** The host's memory is measured after these numbers of runs. */
const WEIGHED_AFTER = [100, 500, 1000];
const MAX_GROWTH_MB = 30;

/**
 * Compares the agent's plain answers with those of chat and of the model itself, and measures the host's
 * memory during 1,000 runs.
 */
export async function benchAgent(): Promise<BenchRow[]> {
  const provider = await startFakeOpenai({ answer: () => 'A plain answer, in a few pieces of text.' });
  try {
    return [await weighRuns(provider), await measureAnswers(provider)];
  } finally {
    closePosts();
    await provider.stop();
  }
}

async function measureAnswers(provider: FakeOpenai): Promise<BenchRow> {
  const { service, agent, chat } = await start(provider);
  try {
    const model = async () => void (await post(`${provider.url}/chat/completions`, MODEL_BODY, '"content"'));
    await measureLoad(agent, { concurrency: 10, seconds: 2 });
    const ours = await measureLoad(agent, { concurrency: 10, seconds: 5 });
    await measureLoad(chat, { concurrency: 10, seconds: 1 });
    const beside = await measureLoad(chat, { concurrency: 10, seconds: 3 });
    const alone = await measureLoad(model, { concurrency: 10, seconds: 2 });
    return {
      measure: 'agent plain answers, 10 at once',
      ours: perSecond(ours.perSecond),
      baseline: `chat ${perSecond(beside.perSecond)}, the fake model alone ${perSecond(alone.perSecond)}`,
      aim: 'over 200/s',
      met: ours.perSecond > 200,
    };
  } finally {
    await service.stop();
  }
}

async function weighRuns(provider: FakeOpenai): Promise<BenchRow> {
  const { service, agent } = await start(provider);
  try {
    const weights: number[] = [];
    let done = 0;
    for (const count of WEIGHED_AFTER) {
      await runTimes(count - done, agent);
      done = count;
      await sleep(REST_MS);
      weights.push(residentMegabytes(service.pid));
    }
    const growth = (weights.at(-1) ?? Number.NaN) - (weights[0] ?? Number.NaN);
    return {
      measure: `memory of the host after ${WEIGHED_AFTER.join(', ')} runs`,
      ours: weights.map((megabytes) => `${Math.round(megabytes)} MB`).join(', '),
      baseline: '-',
      aim: `flat: under ${MAX_GROWTH_MB} MB more from the first to the last`,
      met: growth < MAX_GROWTH_MB,
    };
  } finally {
    await service.stop();
  }
}

async function runTimes(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const loop = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: 10 }, loop));
}

interface Started {
  service: Service;
  /** Gets one complete answer of the agent. */
  agent(): Promise<void>;
  chat(): Promise<void>;
}

async function start(provider: FakeOpenai): Promise<Started> {
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url });
  const workspaceId = await createWorkspace(service, 'agent');
  const fields = { workspaceId, messages: [{ role: 'user', content: 'Say something.' }] };
  const [agentBody, chatBody] = [JSON.stringify({ ...fields, cwd: '' }), JSON.stringify(fields)];
  return {
    service,
    agent: async () => void (await post(`${service.url}/api/agent`, agentBody, '"finishReason":"stop"')),
    chat: async () => void (await post(`${service.url}/api/chat`, chatBody, '"finishReason":"stop"')),
  };
}
