import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeOpenai } from '../support/fake-openai.ts';
import { residentMegabytes } from '../support/process-memory.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { measureLoad, percentile } from './load.ts';
import { closePosts, MODEL_BODY, post } from './post.ts';
import { type BenchRow, ms, perSecond } from './table.ts';

/** V8 gives memory back once nothing happens, and idle worker threads end. */
const REST_MS = 15_000;

/** Whole answers with retrieval and checked citations against the model alone; and what the host weighs afterwards. */
export async function benchChat(): Promise<BenchRow[]> {
  const provider = await startFakeOpenai();
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url });
  try {
    const workspaceId = await prepare(service);
    const body = JSON.stringify({
      workspaceId,
      messages: [{ role: 'user', content: 'what do owls hunt in note 17' }],
    });
    const chat = () => post(`${service.url}/api/chat`, body, '"text-delta"');
    const model = () => post(`${provider.url}/chat/completions`, MODEL_BODY, '"content"');
    await measureLoad(async () => void (await chat()), { concurrency: 10, seconds: 2 });
    const load = await measureLoad(async () => void (await chat()), { concurrency: 10, seconds: 5 });
    const alone = await measureLoad(async () => void (await model()), { concurrency: 10, seconds: 2 });
    const first = await firstTokens(chat, 60);
    const modelFirst = await firstTokens(model, 60);
    const overhead = percentile(first, 0.5) - percentile(modelFirst, 0.5);
    await sleep(REST_MS);
    const megabytes = residentMegabytes(service.pid);
    return [
      {
        measure: 'chat answers, 10 at once',
        ours: perSecond(load.perSecond),
        baseline: `the fake model alone ${perSecond(alone.perSecond)}`,
        aim: 'over 200/s',
        met: load.perSecond > 200,
      },
      {
        measure: 'first token, overhead over the model p50',
        ours: ms(overhead),
        baseline: `the model alone ${ms(percentile(modelFirst, 0.5))}`,
        aim: 'under 10 ms',
        met: overhead < 10,
      },
      {
        measure: `memory of the host ${REST_MS / 1000} s after the run`,
        ours: `${Math.round(megabytes)} MB`,
        baseline: '-',
        aim: 'under 300 MB',
        met: megabytes < 300,
      },
    ];
  } finally {
    closePosts();
    await service.stop();
    await provider.stop();
  }
}

async function prepare(service: Service): Promise<string> {
  const folder = join(service.root, 'notes');
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < 200; index++) {
    const text = `# Note ${index}\n\nOwls of region ${index} hunt mice at night. They rest by day.\n`;
    await writeFile(join(folder, `note-${index}.md`), text);
  }
  const workspaceId = await createWorkspace(service, 'notes');
  await syncWorkspace(service, workspaceId);
  return workspaceId;
}

async function firstTokens(ask: () => Promise<number>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await ask());
  return times;
}
