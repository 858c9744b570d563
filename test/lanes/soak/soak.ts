import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatRequest, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { createWorkspace, syncWorkspace } from '../../support/sync.ts';
import { cleanUp } from '../../support/temp-folder.ts';
import { drawSamples } from './draw.ts';
import { type Sample, takeSample } from './measure.ts';

const PEOPLE = 5;
/** Milliseconds between two actions of a person. */
const THINK_MS = 3000;
/** Different files that the people write, about 1 KB each. */
const FILES = 150;
const MINUTE_MS = 60_000;
/** The maximum ratio of the last quarter to the one before it. */
const GROWTH = 1.15;
/** Growth below these values is noise. */
const NOISE = { memory: 50, descriptors: 20, threads: 10, data: 20, index: 20 };
const FOLDER = resolve(import.meta.dirname, '../../../.cache/soak');

/**
 * Five people write, search, and ask for `minutes`, next to a sync and an agent run per minute. Writes the resources of the
 * service per minute to `.cache/soak`, also as a picture. Returns false if a call failed, or a resource still grew in the
 * last quarter.
 */
export async function soak(minutes: number): Promise<boolean> {
  const provider = await startFakeOpenai({ delayMs: 100, paceMs: 5 });
  const cite = provider.answer;
  provider.answer = (request) => (request.tools === undefined ? cite(request) : answerRun(request));
  const service = await startService({
    ...{ PROVIDER_A_BASE_URL: provider.url, LOG_LEVEL: 'error', WATCH: 'auto' },
  });
  try {
    const { samples, failed } = await work(service, minutes);
    console.log(`failed calls: ${failed}; lines at level error: ${errorsIn(service.output())}`);
    const growing = Object.keys(NOISE).filter((field) => grows(samples, field as keyof typeof NOISE));
    if (growing.length > 0) console.log(`still growing: ${growing.join(', ')}`);
    return failed === 0 && growing.length === 0;
  } finally {
    await provider.stop();
    await cleanUp();
  }
}

function answerRun({ messages }: ChatRequest) {
  const isSecond = messages.some(({ role }) => role === 'tool');
  return isSecond ? 'It is done.' : { calls: [{ name: 'listDirectory', input: { path: '.' } }] };
}

async function work(service: Service, minutes: number): Promise<{ samples: Sample[]; failed: number }> {
  const workspaceId = await createWorkspace(service, 'team');
  const state = { isOver: false, failed: 0 };
  const count = async (working: Promise<boolean>) => {
    if (!(await working.catch(() => false))) state.failed += 1;
  };
  const people = Array.from({ length: PEOPLE }, async (_, person) => {
    for (let turn = 0; !state.isOver; turn++) {
      await count(act(service, workspaceId, person * FILES + turn));
      await sleep(THINK_MS);
    }
  });
  const samples = [await takeSample(service, 0)];
  const started = performance.now();
  for (let minute = 1; minute <= minutes; minute++) {
    await count(eachMinute(service, workspaceId));
    await sleep(Math.max(0, samples.length * MINUTE_MS - (performance.now() - started)));
    samples.push(await takeSample(service, minute));
    await keep(samples);
  }
  state.isOver = true;
  await Promise.all(people);
  return { samples, failed: state.failed };
}

/** Makes one turn of a person: a file, a search, and a question. */
async function act(service: Service, workspaceId: string, turn: number): Promise<boolean> {
  const path = `notes/${(turn * 7) % FILES}.md`;
  const content = `# Note ${turn}\n\n${`The owls of word${turn % 90} hunt at night. `.repeat(24)}\n`;
  const messages = [{ role: 'user', content: `When do the owls of word${turn % 90} hunt?` }];
  const answers = await Promise.all([
    service.call('POST', '/api/files/write', { workspaceId, path, content }),
    service.call('GET', `/api/workspaces/${workspaceId}/search?q=word${turn % 90}`),
    service.call('POST', '/api/chat', { workspaceId, messages }),
  ]);
  return answers.every(({ status }) => status === 200);
}

async function eachMinute(service: Service, workspaceId: string): Promise<boolean> {
  const messages = [{ role: 'user', content: 'List the files.' }];
  const [sync, run] = await Promise.all([
    syncWorkspace(service, workspaceId),
    service.call('POST', '/api/agent', { workspaceId, cwd: '.', messages }),
  ]);
  return sync.status === 'ready' && run.status === 200;
}

async function keep(samples: Sample[]): Promise<void> {
  console.log(JSON.stringify(samples.at(-1)));
  await mkdir(FOLDER, { recursive: true });
  const title = `${PEOPLE} people, ${samples.at(-1)?.minute} minutes`;
  await writeFile(join(FOLDER, 'soak.json'), `${JSON.stringify(samples)}\n`);
  await writeFile(join(FOLDER, 'soak.svg'), drawSamples(samples, title));
}

/** Compares the highest value of the last quarter with that of the quarter before, because maintenance is periodic. */
function grows(samples: Sample[], field: keyof typeof NOISE): boolean {
  const quarter = Math.ceil(samples.length / 4);
  const most = (from: number, to?: number) =>
    Math.max(...samples.slice(from, to).map((sample) => sample[field]));
  const [before, last] = [most(-2 * quarter, -quarter), most(-quarter)];
  return last - before > NOISE[field] && last > before * GROWTH;
}

function errorsIn(output: string): number {
  return output.split('\n').filter((line) => line.includes('"level":"error"')).length;
}
