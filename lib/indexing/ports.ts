import type { Held } from '../leases/hold.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue } from '../ports/queue.ts';
import type { Recognizer } from '../ports/recognizer.ts';
import type { Records } from '../ports/records.ts';
import type { Vectors } from '../ports/vectors.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { QuotesMessage } from './messages.ts';

/**
 * Ports for inspecting files. They only check whether tables exist, so that the function's bundle doesn't
 * contain LanceDB.
 */
export interface IndexPorts {
  records: Records;
  vectors: Pick<Vectors, 'has'>;
  objects: Objects;
  /** The queue for syncs, and for changes of many files. */
  indexQueue: Queue;
  /** The queue for small changes, which never wait for large ones. */
  touchQueue: Queue;
  commitQueue: Queue;
  /** Absent if the index supports only keyword search. */
  embedder: Embedder | undefined;
  /** Absent if pages and images without text are indexed without OCR. */
  recognizer?: Recognizer | undefined;
  clock: Clock;
  /** Searches for the quotes of documents in files that a commit changed. Absent if citations aren't checked. */
  checkQuotes?(workspace: Workspace, message: QuotesMessage): Promise<void>;
}

/** Ports of the one writer of a workspace's index. */
export interface CommitPorts {
  records: Records;
  objects: Objects;
  vectors: Vectors;
  indexQueue: Queue;
  /** The queue for requests to check citations. */
  touchQueue: Queue;
  maintainQueue: Queue;
  clock: Clock;
}

/** The ports of the process that holds the tables' lease. */
export interface WriterPorts extends CommitPorts {
  held: Held;
}

/** The workspace whose files are indexed. */
export interface IndexedWorkspace {
  id: string;
  rootPath: string;
}
