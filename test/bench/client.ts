import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { residentMegabytes } from '../support/processes/process-memory.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { DIMENSIONS, denseVector } from './dense-vectors.ts';
import { measureLoad, percentile, timed, timedEach } from './load.ts';
import { closePosts, MODEL_BODY, post } from './post.ts';
import { prose } from './prose.ts';
import { type BenchRow, ms, perSecond } from './table.ts';

const FILES = 2001;
const CHATS = 400;
const BATCH = 100;
const IN_FLIGHT = 4;
const AT_ONCE = { concurrency: 10, seconds: 5 };
/**
 * Long enough to compile the code and to cache everything that a search reads, as in a service that has run
 * for a minute.
 */
const WARM_UP = { concurrency: 10, seconds: 6 };
/** Number of syncs without changes. Their median is reported. */
const SYNCS = 9;

/**
 * Measures times at a client, over HTTP, for a workspace of 2,001 small files with vectors of the default
 * model's length. Compares each number with another one of the same run, because the host may be slow or
 * busy.
 */
export async function benchClient(): Promise<BenchRow[]> {
  const provider = await startFakeOpenai({ vectorOf: denseVector });
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url });
  try {
    const folder = await writeFiles(join(service.root, 'small'));
    const bare = await timed(() => readHashEmbed(folder, provider.url));
    const workspaceId = await createWorkspace(service, 'small');
    const syncs = await syncRows(service, workspaceId, bare);
    return [...syncs, ...(await requestRows(service, provider, workspaceId))];
  } finally {
    closePosts();
    await service.stop();
    await provider.stop();
  }
}

async function syncRows(service: Service, workspaceId: string, bare: number): Promise<BenchRow[]> {
  const first = await timed(() => syncWorkspace(service, workspaceId));
  const unchanged = await timedEach(SYNCS, () => syncWorkspace(service, workspaceId));
  const middle = percentile(unchanged, 0.5);
  const baseline = `bare read + hash + embed ${ms(bare)}`;
  return [
    row(`first sync of ${FILES} files x ${DIMENSIONS}`, ms(first), { baseline, of: first / bare, under: 2 }),
    row('unchanged sync of the same, POST to ready', ms(middle), {
      baseline,
      of: middle / bare,
      under: 0.1,
    }),
  ];
}

async function requestRows(service: Service, provider: FakeOpenai, workspaceId: string): Promise<BenchRow[]> {
  const get = (path: string) => async () => {
    const { status } = await service.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  };
  let asked = 0;
  const search = () => get(`/api/workspaces/${workspaceId}/search?q=${question(asked++)}`)();
  const chat = () =>
    post(`${service.url}/api/chat`, chatBody(workspaceId, question(asked++)), '"text-delta"');
  const kept = () =>
    post(`${service.url}/api/chat`, chatBody(workspaceId, question(asked++), randomUUID()), '"text-delta"');
  const completion = () =>
    post(
      `${service.url}/api/openai/v1/chat/completions`,
      completionBody(workspaceId, question(asked++)),
      '"delta":{"content"',
    );
  const model = () => post(`${provider.url}/chat/completions`, MODEL_BODY, '"content"');
  const health = await load(get('/api/health'));
  const list = await load(get('/api/workspaces'));
  const searches = await load(search);
  const alone = percentile(await timedEach(50, search), 0.5);
  const chats = await load(async () => void (await chat()));
  const keptChats = await load(async () => void (await kept()));
  const [first, keptFirst, completionFirst] = await firstTokens(chat, kept, completion);
  const [modelFirst] = await firstTokens(model);
  while (asked < CHATS) await chat();
  const lists = `GET /api/workspaces ${perSecond(list)}`;
  return [
    row('GET /api/workspaces, 10 at once', perSecond(list), {
      baseline: `GET /api/health ${perSecond(health)}`,
      of: list / health,
      over: 0.85,
    }),
    row('searches, 10 at once', perSecond(searches), { baseline: lists, of: searches / list, over: 1 / 8 }),
    row('a search alone, p50', ms(alone), { baseline: lists, of: (alone * list) / 1000, under: 15 }),
    row('chats, 10 at once', perSecond(chats), { baseline: lists, of: chats / list, over: 0.12 }),
    row('kept chats, 10 at once', perSecond(keptChats), {
      baseline: `chats ${perSecond(chats)}`,
      of: keptChats / chats,
      over: 0.6,
    }),
    limit('first token of a kept chat, over one that is not', keptFirst - first, {
      shown: ms,
      most: 5,
      baseline: `one that is not ${ms(first)}`,
    }),
    limit("first token by OpenAI's API, over POST /api/chat", completionFirst - first, {
      shown: ms,
      most: 5,
      baseline: `POST /api/chat ${ms(first)}`,
    }),
    limit('first token, over the model p50', first - modelFirst, {
      shown: ms,
      most: 15,
      baseline: `the model alone ${ms(modelFirst)}`,
    }),
    limit(`memory of the host after ${CHATS} chats`, residentMegabytes(service.pid), {
      shown: (value) => `${Math.round(value)} MB`,
      most: 400,
      baseline: '-',
    }),
  ];
}

async function load(work: () => Promise<void>): Promise<number> {
  await measureLoad(work, WARM_UP);
  return (await measureLoad(work, AT_ONCE)).perSecond;
}

/** Measures them alternately, so that other load on the host affects all of them. */
async function firstTokens<Asks extends (() => Promise<number>)[]>(...asks: Asks) {
  const times = asks.map((): number[] => []);
  for (let index = 0; index < 60; index++)
    for (const [at, ask] of asks.entries()) times[at]?.push(await ask());
  return times.map((each) => percentile(each, 0.5)) as { [At in keyof Asks]: number };
}

interface Ratio {
  baseline: string;
  of: number;
  over?: number;
  under?: number;
}

function row(measure: string, ours: string, { baseline, of, over = 0, under = Infinity }: Ratio): BenchRow {
  const aim = over > 0 ? `at least ${over} of it` : `at most ${under} of it`;
  return { measure, ours: `${ours} = ${of.toFixed(3)}`, baseline, aim, met: of >= over && of <= under };
}

function limit(
  measure: string,
  value: number,
  { shown, most, baseline }: { shown: (value: number) => string; most: number; baseline: string },
): BenchRow {
  return { measure, ours: shown(value), baseline, aim: `under ${shown(most)}`, met: value < most };
}

/** Two passages per file. */
async function writeFiles(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < FILES; index++) {
    const text = `# Note ${index}\n\n${prose(index)}\n\n## More of note ${index}\n\n${prose(index + FILES)}\n`;
    await writeFile(join(folder, `note-${index}.md`), text);
  }
  return folder;
}

function question(index: number): string {
  return `what+says+word${(index * 131) % 5000}+of+word${(index * 17) % 5000}`;
}

function chatBody(workspaceId: string, asked: string, id?: string): string {
  const content = asked.replaceAll('+', ' ');
  return JSON.stringify({ workspaceId, id, messages: [{ role: 'user', content }] });
}

function completionBody(workspaceId: string, asked: string): string {
  const messages = [{ role: 'user', content: asked.replaceAll('+', ' ') }];
  return JSON.stringify({ model: `workspace:${workspaceId}`, messages, stream: true });
}

/**
 * The minimum work of any indexer: reads and hashes every file, and embeds its text in full batches, four at
 * a time.
 */
async function readHashEmbed(folder: string, providerUrl: string): Promise<void> {
  const names = await readdir(folder);
  const texts: string[] = [];
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    createHash('sha256').update(bytes).digest('hex');
    texts.push(bytes.toString());
  }
  const batches = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, index) =>
    texts.slice(index * BATCH, (index + 1) * BATCH),
  );
  const embedNext = async () => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop())
      await embed(providerUrl, batch);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, embedNext));
}

async function embed(providerUrl: string, input: string[]): Promise<void> {
  const response = await fetch(`${providerUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', input, encoding_format: 'float' }),
  });
  await response.json();
}
