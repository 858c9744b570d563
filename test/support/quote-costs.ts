import { askForChecks } from '../../lib/indexing/commit/quote-checks.ts';
import { indexMessageSchema, type QuotesMessage } from '../../lib/indexing/messages.ts';
import { readKnownFiles } from '../../lib/indexing/schema.ts';
import type { Records } from '../../lib/ports/records.ts';
import { checkQuotes } from '../../lib/quotations/checks/check.ts';
import { quotedFiles, quoteMarkers, quotingDocuments } from '../../lib/quotations/records/schema.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { keepAnswer } from './cited-answer.ts';
import { type Pipeline, takeAll } from './pipeline.ts';

/** The cost of a change to one quoted file. */
export interface QuoteCost {
  documents: number;
  /** Store calls, which are requests on DynamoDB. */
  calls: number;
  /** Records that the calls read and wrote, which are items on DynamoDB. */
  read: number;
  written: number;
  ms: number;
}

/** Number of documents that quote the changed file. */
const CITING = 5;
const QUOTE = 'Owls hunt at night.';
const BATCH = 1000;

/** Fills a workspace with documents that quote other files, and measures a change that breaks the quotes of five. */
export async function measureQuoteCost(pipeline: Pipeline, documents: number): Promise<QuoteCost> {
  const { ports, makeWorkspace, drain } = pipeline;
  const files = await makeWorkspace();
  await files.write('owls.md', `# Owls\n\n${QUOTE}\n`);
  await files.sync();
  for (let at = 0; at < documents; at += BATCH)
    await fill(ports.records, files.id, at, Math.min(BATCH, documents - at));
  const { hash: fileHash = '' } =
    (await readKnownFiles(ports.records, files.id, ['owls.md'])).get('owls.md') ?? {};
  for (let at = 0; at < CITING; at++)
    await keepAnswer(ports, { id: `${files.id}-${at}`, workspaceId: files.id }, [
      { path: 'owls.md', startLine: 3, endLine: 3, quote: QUOTE, fileHash },
    ]);
  await files.write('owls.md', '# Owls\n\nEdited.\n');
  await files.sync();
  await drain();
  const [file] = (await readKnownFiles(ports.records, files.id, ['owls.md'])).values();
  const workspace = await workspaces.get(ports.records, { id: files.id });
  if (file === undefined || workspace === undefined) throw new Error('nothing was indexed');
  await takeAll(ports.touchQueue);
  const counted = countCalls(ports.records);
  const start = performance.now();
  const result = { outcome: 'copied' as const, path: 'owls.md', readAt: 0, from: 'x', file };
  await askForChecks({ ...ports, records: counted.records }, files.id, [result]);
  for (let tries = 0; tries < 2; tries++) {
    pipeline.now.offsetMs += 5000;
    for (const { body } of await takeAll(ports.touchQueue))
      await checkQuotes({ ...ports, records: counted.records }, workspace, toQuotes(body));
  }
  return { documents, ...counted.counts, ms: performance.now() - start };
}

function toQuotes(body: string): QuotesMessage {
  const message = indexMessageSchema.parse(JSON.parse(body));
  if (message.kind !== 'quotes') throw new Error(`a message of another kind: ${message.kind}`);
  return message;
}

/** Writes the result of storeQuotes: a document per ten quotes of a file. */
async function fill(records: Records, workspaceId: string, from: number, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => {
    const place = from + at;
    const path = `other/${Math.floor(place / 10)}.md`;
    return { workspaceId, path, document: { kind: 'answer' as const, key: `k${place}`, place: 1 } };
  });
  const quote = { index: 1, quote: QUOTE, startLine: 1, endLine: 1, part: {}, fileHash: 'h', exact: true };
  const quotes = [{ ...quote, isCut: false, broken: null }];
  const createdAt = '2026-01-01T00:00:00.000Z';
  await quotedFiles.putMany(
    records,
    all.map((each) => ({ ...each, quotes, version: 1 })),
  );
  await quotingDocuments.putMany(
    records,
    all.map(({ path, ...each }) => ({
      ...each,
      paths: [path],
      stamp: 's',
      settled: true,
      dueAt: null,
      createdAt,
    })),
  );
  const paths = [...new Set(all.map(({ path }) => path))];
  await quoteMarkers.putMany(
    records,
    paths.map((value) => ({ workspaceId, of: 'path' as const, value, paths: [], stamp: 's' })),
  );
}

const WRITES = new Set(['put', 'update', 'delete']);

function countCalls(records: Records) {
  const counts = { calls: 0, read: 0, written: 0 };
  const counting = new Proxy(records, {
    get(target, name: keyof Records) {
      return async (...args: unknown[]) => {
        const result = await (target[name] as (...all: unknown[]) => Promise<unknown>)(...args);
        counts.calls += 1;
        if (WRITES.has(name)) counts.written += 1;
        else if (name === 'putMany' || name === 'deleteMany') counts.written += (args[0] as unknown[]).length;
        else if (name === 'getMany') counts.read += (args[0] as unknown[]).length;
        else
          counts.read += Math.max(1, (result as { records?: unknown[] } | undefined)?.records?.length ?? 1);
        return result;
      };
    },
  });
  return { records: counting, counts };
}
