import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { denseVector } from './dense-vectors.ts';
import { percentile, timed } from './load.ts';
import { closePosts, post } from './post.ts';
import { prose } from './prose.ts';
import { type BenchRow, ms } from './table.ts';

const WORKSPACES = 20;
const FILES = 2000;
/** The numbers of workspaces that a question is about. */
const SIZES = [1, 5, WORKSPACES];
const WARM_UP = 10;
const ROUNDS = 40;
/** The most that a question about 20 workspaces may take, in times of one about a single workspace. */
const MOST = { search: 4, chat: 3 };

type Measured = Record<'search' | 'chat', number>;

/** Measures a question over 1, 5, and 20 workspaces of 2,000 small files each, in turn, with a scripted model. */
export async function benchWorkspaces(): Promise<BenchRow[]> {
  const provider = await startFakeOpenai({ vectorOf: denseVector });
  const service = await startService({ PROVIDER_A_BASE_URL: provider.url, EMBEDDING_BASE_URL: provider.url });
  try {
    const ids: string[] = [];
    for (let at = 0; at < WORKSPACES; at += 1) ids.push(await fill(service, at));
    return rowsOf(await measureAll(service, ids));
  } finally {
    closePosts();
    await service.stop();
    await provider.stop();
  }
}

async function fill(service: Service, at: number): Promise<string> {
  const folder = join(service.root, `w${at}`);
  await mkdir(folder, { recursive: true });
  for (let file = 0; file < FILES; file += 1)
    await writeFile(join(folder, `note-${file}.md`), `# Note ${file}\n\n${prose(at * FILES + file)}\n`);
  const id = await createWorkspace(service, `w${at}`);
  await syncWorkspace(service, id);
  return id;
}

/** Asks about each number of workspaces in turn, so that other load on the host affects all of them. */
async function measureAll(service: Service, ids: string[]): Promise<Measured[]> {
  const times = SIZES.map(() => ({ search: [] as number[], chat: [] as number[] }));
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [at, size] of SIZES.entries()) {
      const some = ids.slice(0, size);
      const asked = `what says word${((round + WARM_UP) * 131 + at) % 5000} of word${(round + WARM_UP) * 17}`;
      const search = await timed(() => find(service, some, asked));
      const body = { workspaceIds: some, messages: [{ role: 'user', content: asked.toUpperCase() }] };
      const chat = await post(`${service.url}/api/chat`, JSON.stringify(body), '"text-delta"');
      if (round < 0) continue;
      times[at]?.search.push(search);
      times[at]?.chat.push(chat);
    }
  return times.map(({ search, chat }) => ({ search: percentile(search, 0.5), chat: percentile(chat, 0.5) }));
}

async function find(service: Service, ids: string[], asked: string): Promise<void> {
  const { status } = await service.call(
    'GET',
    `/api/search?q=${encodeURIComponent(asked)}&workspaceIds=${ids}`,
  );
  if (status !== 200) throw new Error(`the search answered ${status}`);
}

function rowsOf(measured: Measured[]): BenchRow[] {
  const names = { search: 'a search', chat: 'first token of a chat' } as const;
  return (['search', 'chat'] as const).map((kind) => {
    const [one = Number.NaN, some = Number.NaN, all = Number.NaN] = measured.map((each) => each[kind]);
    return {
      measure: `${names[kind]} over ${SIZES.slice(1).join(' and ')} workspaces of ${FILES} files, p50`,
      ours: `${ms(some)} and ${ms(all)} = ${(all / one).toFixed(2)}`,
      baseline: `over one ${ms(one)}`,
      aim: `at most ${MOST[kind]} of it`,
      met: all <= MOST[kind] * one,
    };
  });
}
