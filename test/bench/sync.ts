import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeOpenai } from '../support/fake-openai.ts';
import { startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';
import { timed } from './load.ts';
import { type BenchRow, ms } from './table.ts';

const FILES = 2001;
const BATCH = 100;
const IN_FLIGHT = 4;

/** First and unchanged sync of 2,001 small files against a bare read + hash + embed of the same files. */
export async function benchSync(): Promise<BenchRow[]> {
  const provider = await startFakeOpenai();
  const service = await startService({ EMBEDDING_BASE_URL: provider.url, EMBEDDING_API_KEY: 'bench' });
  try {
    const folder = await writeFiles(join(service.root, 'small'));
    const bare = await timed(() => readHashEmbed(folder, provider.url));
    const workspaceId = await createWorkspace(service, 'small');
    const first = await timed(() => syncWorkspace(service, workspaceId));
    const unchanged = await timed(() => syncWorkspace(service, workspaceId));
    return [
      {
        measure: `first sync of ${FILES} small files`,
        ours: ms(first),
        baseline: `bare read + hash + embed ${ms(bare)}`,
        aim: 'within 2x and under 3 s',
        met: first < 3000 && first < 2 * bare,
      },
      {
        measure: 'unchanged sync of the same',
        ours: ms(unchanged),
        baseline: '-',
        aim: 'under 250 ms',
        met: unchanged < 250,
      },
    ];
  } finally {
    await service.stop();
    await provider.stop();
  }
}

async function writeFiles(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < FILES; index++) {
    const words = Array.from({ length: 60 }, (_, word) => `word${(index * 31 + word * 7) % 5000}`);
    await writeFile(join(folder, `note-${index}.md`), `# Note ${index}\n\n${words.join(' ')}\n`);
  }
  return folder;
}

/** What no indexer can avoid: every file read and hashed, its text embedded in full batches, four in flight. */
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
