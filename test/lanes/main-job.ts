import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readingFormat } from '../../lib/formats/all-formats.ts';
import { decodeSource } from '../../lib/formats/decode-source.ts';
import { type ChatRequest, offeredPassages, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { type Service, startService } from '../support/service.ts';
import { createWorkspace, syncWorkspace } from '../support/sync.ts';

/**
 * The main job on real documents: 2,400 files of Debian's documentation (HTML, PDF, text, code, Chinese),
 * indexed, searched, and used in a chat through an OpenAI-compatible endpoint. Every quote must be in its
 * file, exactly, at the stated lines.
 */
const QUESTIONS = [
  'How do I open a file for reading in Python?',
  'What does the subprocess module do?',
  'How are Debian packages upgraded with apt?',
  '如何使用 aptitude 安装软件包？',
  'How do I plot a surface with gnuplot?',
  'What belongs into /usr/share according to the Filesystem Hierarchy Standard?',
  'What is the maintainer script prerm for?',
  'How does asyncio.gather handle exceptions?',
  'urllib.request.urlopen timeout',
  'Debian 的自由软件准则是什么？',
  'difference between list and tuple',
  'How does nginx find its configuration?',
];

interface Citation {
  path: string;
  startLine: number;
  endLine: number;
  page?: number;
  quote: string;
  verified: boolean;
  stale: boolean;
}

const documents = resolve(
  execFileSync('bash', [join(import.meta.dirname, 'fetch-documents.sh')])
    .toString()
    .trim(),
);
const provider = await startFakeOpenai({ answer: citePlainWords });
const service = await startService({
  PROVIDER_A_BASE_URL: provider.url,
  EMBEDDING_BASE_URL: provider.url,
  EMBEDDING_API_KEY: 'lane',
});
try {
  const folder = join(service.root, 'debian');
  cpSync(documents, folder, { recursive: true });
  const workspaceId = await createWorkspace(service, 'debian');
  const started = performance.now();
  const state = await syncWorkspace(service, workspaceId, 600_000);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `indexed ${state.newCount} files in ${seconds.toFixed(1)} s, ${state.failedCount} failed`,
    state.errors,
  );
  if (state.status !== 'ready' || state.newCount < 1500)
    throw new Error('fewer than 1,500 files were indexed');
  let checked = 0;
  for (const question of QUESTIONS) checked += await askAndCheck(service, folder, workspaceId, question);
  console.log(`${checked} quotes checked against their files: all exact`);
  if (checked < QUESTIONS.length) throw new Error('fewer quotes than questions');
} catch (error) {
  console.error(service.output().slice(-2000));
  throw error;
} finally {
  await service.stop();
  await provider.stop();
}

/**
 * Cites words without numbers and names, because those of a page may be in several elements, so that no quote
 * contains them all. Passages without three such words in a row, as in a generated index, aren't cited.
 */
function citePlainWords(request: ChatRequest): string {
  const rows = offeredPassages(request).map(({ number, text }) => ({ number, words: plainWords(text) }));
  const cited = rows.filter(({ words }) => words !== '').slice(0, 2);
  return cited.map(({ number, words }) => `${words} [${number}].`).join(' ');
}

/** Returns the longest sequence of such words, because three could be words that the quote search ignores. */
function plainWords(text: string): string {
  const rows = text.match(/\p{Script=Han}{6,}|\b[a-z]+(?: [a-z]+){2,}\b/gu) ?? [];
  return rows.reduce((longest, row) => (row.length > longest.length ? row : longest), '');
}

/** Asks, checks every citation of the answer against its file, and returns the number of citations. */
async function askAndCheck(
  to: Service,
  folder: string,
  workspaceId: string,
  question: string,
): Promise<number> {
  const found = await to.call(
    'GET',
    `/api/workspaces/${workspaceId}/search?k=5&q=${encodeURIComponent(question)}`,
  );
  const hits = found.body as { path: string }[];
  const messages = [{ role: 'user', content: question }];
  const { body } = await to.call('POST', '/api/chat', { workspaceId, messages });
  const citations = citationsOf(String(body));
  console.log(`\n${question}\n  found ${hits.map(({ path }) => path.split('/').at(-1)).join(', ')}`);
  for (const citation of citations) {
    await checkCitation(folder, citation);
    console.log(
      `  [${citation.path.split('/').at(-1)}:${citation.startLine}] ${citation.quote.slice(0, 90).replaceAll('\n', ' ')}`,
    );
  }
  return citations.length;
}

function citationsOf(stream: string): Citation[] {
  const frames = stream.split('\n').filter((line) => line.startsWith('data: {'));
  const parts = frames.map(
    (line) => JSON.parse(line.slice('data: '.length)) as { type: string; data: Citation },
  );
  return parts.filter(({ type }) => type === 'data-citation').map(({ data }) => data);
}

async function checkCitation(
  folder: string,
  { path, startLine, endLine, quote, verified }: Citation,
): Promise<void> {
  const bytes = readFileSync(join(folder, path));
  const format = readingFormat(path);
  const decoded = format.content === 'encoded' ? await decodeSource(format, bytes) : undefined;
  const lines = (decoded?.text ?? bytes.toString('utf8'))
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
  if (!verified || quote === '' || !lines.includes(quote)) {
    throw new Error(`not an exact quote: ${JSON.stringify({ path, startLine, endLine, quote, verified })}`);
  }
}
