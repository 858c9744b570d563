import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeOpenai } from '../../support/fakes/fake-openai.ts';
import { residentMegabytes } from '../../support/processes/process-memory.ts';
import { type Service, startService } from '../../support/service.ts';
import { createWorkspace, syncWorkspace } from '../../support/sync.ts';
import { measureLoad, percentile, timed, timedEach } from '../load.ts';
import { post } from '../post.ts';
import { prose } from '../prose.ts';

/** The measures of each commit, their units, and whether more is better. */
export const MEASURES = {
  start: { isMoreBetter: false, unit: 'ms' },
  'first sync of 300 files': { isMoreBetter: false, unit: 'ms' },
  'unchanged sync': { isMoreBetter: false, unit: 'ms' },
  'searches, 10 at once': { isMoreBetter: true, unit: '/s' },
  'chats, 10 at once': { isMoreBetter: true, unit: '/s' },
  'first token of a chat': { isMoreBetter: false, unit: 'ms' },
  'one step of the agent': { isMoreBetter: false, unit: 'ms' },
  'draft of 40 sentences': { isMoreBetter: false, unit: 'ms' },
  'memory after 1,000 chats': { isMoreBetter: false, unit: 'MB' },
} as const;

export type Measure = keyof typeof MEASURES;
/** A measure is undefined if the commit lacks the measured feature. */
export type Measured = Partial<Record<Measure, number>>;

const FILES = 300;
const CHATS = 1000;
const SENTENCES = 40;
/** Long enough to compile the code, and to cache everything that a search reads. */
const WARM_UP = { concurrency: 10, seconds: 4 };
const AT_ONCE = { concurrency: 10, seconds: 5 };
const DRAFT_MS = 120_000;

/**
 * Starts a checkout's service, with vectors of the default length from a scripted provider, and measures it
 * from outside.
 */
export async function measure(checkout: string, provider: FakeOpenai): Promise<Measured> {
  const env = { PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url };
  let service: Service | undefined;
  const start = await timed(async () => {
    service = await startService(env, [], [], checkout);
  });
  if (service === undefined) throw new Error('The service did not start.');
  try {
    return { start, ...(await measureRequests(service)) };
  } finally {
    await service.stop();
  }
}

async function measureRequests(service: Service): Promise<Measured> {
  const folder = join(service.root, 'small');
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < FILES; index++) await writeFile(join(folder, `note-${index}.md`), note(index));
  const workspaceId = await createWorkspace(service, 'small');
  const firstSync = await timed(() => syncWorkspace(service, workspaceId));
  const syncs = await timedEach(9, () => syncWorkspace(service, workspaceId));
  let asked = 0;
  const search = async () => {
    const path = `/api/workspaces/${workspaceId}/search?q=${encodeURIComponent(question(asked++))}`;
    const { status } = await service.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  };
  const ask = (route: string, more = {}) => {
    const messages = [{ role: 'user', content: question(asked++) }];
    return post(
      `${service.url}/api/${route}`,
      JSON.stringify({ workspaceId, messages, ...more }),
      '"text-delta"',
    );
  };
  const chat = async () => void (await ask('chat'));
  const searches = await load(search);
  const chats = await load(chat);
  const firstTokens: number[] = [];
  for (let index = 0; index < 60; index++) firstTokens.push(await ask('chat'));
  const steps = await timedEach(40, () => ask('agent', { cwd: '' }));
  const draft = await timedDraft(service, workspaceId);
  while (asked < CHATS) await chat();
  return {
    'first sync of 300 files': firstSync,
    'unchanged sync': percentile(syncs, 0.5),
    'searches, 10 at once': searches,
    'chats, 10 at once': chats,
    'first token of a chat': percentile(firstTokens, 0.5),
    'one step of the agent': percentile(steps, 0.5),
    ...(draft !== undefined && { 'draft of 40 sentences': draft }),
    'memory after 1,000 chats': residentMegabytes(service.pid),
  };
}

async function load(work: () => Promise<void>): Promise<number> {
  await measureLoad(work, WARM_UP);
  return (await measureLoad(work, AT_ONCE)).perSecond;
}

/** Checks a draft by code alone. Returns undefined if the commit can't check a draft. */
async function timedDraft(service: Service, workspaceId: string): Promise<number | undefined> {
  const text = Array.from({ length: SENTENCES }, (_, at) => claim(at)).join(' ');
  const started = performance.now();
  const { status, body } = await service.call('POST', '/api/verify', { workspaceId, text, judge: false });
  if (status !== 202) return undefined;
  const { runId } = body as { runId: string };
  while (performance.now() - started < DRAFT_MS) {
    const { body: check } = await service.call('GET', `/api/verify/${runId}`);
    if (['done', 'failed', 'stopped'].includes((check as { status: string }).status))
      return performance.now() - started;
    await sleep(10);
  }
  throw new Error('The check of the draft did not end.');
}

function note(index: number): string {
  return `# Note ${index}\n\n${prose(index)}\n\n## More of note ${index}\n\n${prose(index + FILES)}\n`;
}

function question(index: number): string {
  return `what says word${(index * 131) % 5000} of word${(index * 17) % 5000}`;
}

function claim(index: number): string {
  return `Station ${index} measured ${100 + index} sites of word${(index * 131) % 5000} in ${1980 + index}.`;
}
