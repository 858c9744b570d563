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

/** Ports for inspecting files. Of the tables it checks only whether they exist, so its function contains no LanceDB. */
export interface IndexPorts {
  records: Records;
  vectors: Pick<Vectors, 'has'>;
  objects: Objects;
  /** Work of a sync, or of a change of many files. */
  indexQueue: Queue;
  /** Small changes, which never wait for large ones. */
  touchQueue: Queue;
  commitQueue: Queue;
  /** Absent: the index is of words only. */
  embedder: Embedder | undefined;
  /** Absent: pages and pictures without text stay so. */
  recognizer?: Recognizer | undefined;
  clock: Clock;
  /** Looks for the quotes of documents in files that a commit changed. Absent: citations aren't checked. */
  checkQuotes?(workspace: Workspace, message: QuotesMessage): Promise<void>;
}

/** Ports of the one writer of a workspace's index. */
export interface CommitPorts {
  records: Records;
  objects: Objects;
  vectors: Vectors;
  indexQueue: Queue;
  /** Asks for citations to be checked. */
  touchQueue: Queue;
  maintainQueue: Queue;
  clock: Clock;
}

/** Everything that the holder of the tables' lease works with. */
export interface WriterPorts extends CommitPorts {
  held: Held;
}

/** The workspace whose files are indexed. */
export interface IndexedWorkspace {
  id: string;
  rootPath: string;
}
