import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { UpstreamFailed } from '../../lib/errors.ts';
import { commitMessages } from '../../lib/indexing/commit/commit.ts';
import { maintainTable } from '../../lib/indexing/commit/maintain.ts';
import { handleIndexMessage } from '../../lib/indexing/handle-index-message.ts';
import {
  type CommitMessage,
  commitMessageSchema,
  indexMessageSchema,
  maintainMessageSchema,
} from '../../lib/indexing/messages.ts';
import { readIndexState } from '../../lib/indexing/read-index-state.ts';
import { startSync } from '../../lib/indexing/sync.ts';
import { embeddingSpaceOf } from '../../lib/passages/embedding-space.ts';
import { readSearchSpace } from '../../lib/passages/search-space.ts';
import type { Embedder } from '../../lib/ports/embedder.ts';
import type { Queue, ReceivedMessage } from '../../lib/ports/queue.ts';
import type { Recognizer } from '../../lib/ports/recognizer.ts';
import type { Vectors } from '../../lib/ports/vectors.ts';
import { checkQuotes } from '../../lib/quotations/checks/check.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { hashedWords } from './fakes/fake-openai.ts';
import { tempFolder } from './temp-folder.ts';

const QUEUE = { visibilityTimeoutSeconds: 1800 };

/** The embedder in this process. `fail` makes it fail, and `dimensions` truncates its vectors. */
export interface FakeEmbedder extends Embedder {
  model: string;
  batchSize: number;
  requests: number;
  embeddedTexts: number;
  fail: boolean;
  dimensions: number;
}

function fakeEmbedder(): FakeEmbedder {
  return {
    model: 'fake',
    batchSize: 100,
    requests: 0,
    embeddedTexts: 0,
    fail: false,
    dimensions: 384,
    async embed(texts) {
      this.requests++;
      if (this.fail) throw new UpstreamFailed('upstream_failed', 'the embedding service answered 500');
      this.embeddedTexts += texts.length;
      return texts.map((text) => hashedWords(text).slice(0, this.dimensions));
    },
  };
}

/** Indexing without a host: real SQLite, real LanceDB, and two workers that the test calls in any order. */
export async function startPipeline(tables?: Vectors) {
  const dataDir = await tempFolder();
  const database = openDatabase(dataDir);
  createQueues(database, [
    { name: 'index', fifo: false, ...QUEUE },
    { name: 'touch', fifo: false, ...QUEUE },
    { name: 'maintain', fifo: true, ...QUEUE },
    { name: 'commit', fifo: true, ...QUEUE },
  ]);
  const now = { offsetMs: 0 };
  const clock = { now: () => Date.now() + now.offsetMs };
  const openQueue = (name: string) => sqliteQueue(database, name, clock);
  const embedder = fakeEmbedder();
  const ports = {
    records: sqliteRecords(database),
    objects: diskObjects(join(dataDir, 'objects'), () => Promise.reject(new Error('no uploads here'))),
    vectors: tables ?? lancedbVectors(join(dataDir, 'vectors')),
    indexQueue: openQueue('index'),
    touchQueue: openQueue('touch'),
    maintainQueue: openQueue('maintain'),
    commitQueue: openQueue('commit'),
    embedder: embedder as Embedder | undefined,
    recognizer: undefined as Recognizer | undefined,
    clock,
  };
  const syncPorts = () => ({ ...ports, space: embeddingSpaceOf(ports.embedder) });

  async function workIndex(queue: Queue): Promise<number> {
    const messages = await queue.receive({ max: 1 });
    for (const message of messages) {
      await handleIndexMessage(
        { ...ports, checkQuotes: (workspace, message) => checkQuotes(ports, workspace, message) },
        indexMessageSchema.parse(JSON.parse(message.body)),
        message,
      );
      await queue.delete([message.receipt]);
    }
    return messages.length;
  }

  /** Runs the workers until no messages are left, and returns the number of rounds. */
  async function drain(maxRounds = 500): Promise<number> {
    for (let round = 0; round < maxRounds; round++) {
      const read = (await workIndex(ports.touchQueue)) + (await workIndex(ports.indexQueue));
      const commit = await ports.commitQueue.receive({ max: 10 });
      if (commit.length > 0) await commitAll(commit);
      const maintained = await maintainAll();
      if (read + commit.length + maintained === 0) return round;
    }
    throw new Error(`messages are left after ${maxRounds} rounds`);
  }

  async function commitAll(messages: ReceivedMessage[]): Promise<void> {
    await commitMessages(ports, messages.map(readCommit));
    await ports.commitQueue.delete(messages.map(({ receipt }) => receipt));
  }

  async function maintainAll(): Promise<number> {
    const messages = await takeAll(ports.maintainQueue);
    for (const { body } of messages)
      await maintainTable(ports, maintainMessageSchema.parse(JSON.parse(body)));
    return messages.length;
  }

  /**
   * Handles the messages of the index worker, and returns its messages to the writer instead of committing
   * them.
   */
  async function takeResults(): Promise<CommitMessage[]> {
    const messages = [...(await takeAll(ports.touchQueue)), ...(await takeAll(ports.indexQueue))];
    for (const message of messages) {
      await handleIndexMessage(
        { ...ports, checkQuotes: (workspace, message) => checkQuotes(ports, workspace, message) },
        indexMessageSchema.parse(JSON.parse(message.body)),
        message,
      );
    }
    return (await takeAll(ports.commitQueue)).map(readCommit);
  }

  async function makeWorkspace(folder?: string) {
    const rootPath = folder ?? (await tempFolder());
    const id = randomUUID();
    await workspaces.create(ports.records, {
      id,
      name: 'test',
      rootPath,
      createdAt: new Date().toISOString(),
    });
    return {
      id,
      rootPath,
      async write(path: string, content: string | Uint8Array) {
        await mkdir(dirname(join(rootPath, path)), { recursive: true });
        await writeFile(join(rootPath, path), content);
      },
      async sync() {
        embedder.embeddedTexts = 0;
        now.offsetMs += 100; // longer than the time resolution within which a change could be missed
        await startSync(syncPorts(), id);
        await drain();
        return readIndexState(ports.records, id);
      },
      async table() {
        return ports.vectors.open(id, (await readSearchSpace(ports.records, id)) ?? 'lexical');
      },
      async found(query: string) {
        const passages = await (await this.table()).searchText(query, 20);
        return [...new Set(passages.map(({ path }) => path))].sort();
      },
    };
  }
  return { dataDir, ports, syncPorts, embedder, now, drain, takeResults, makeWorkspace };
}

export type Pipeline = Awaited<ReturnType<typeof startPipeline>>;

function readCommit({ body }: ReceivedMessage): CommitMessage {
  return commitMessageSchema.parse(JSON.parse(body));
}

export async function takeAll(queue: Queue): Promise<ReceivedMessage[]> {
  const taken: ReceivedMessage[] = [];
  for (;;) {
    const messages = await queue.receive({ max: 10 });
    if (messages.length === 0) return taken;
    taken.push(...messages);
    await queue.delete(messages.map(({ receipt }) => receipt));
  }
}
