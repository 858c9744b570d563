import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue } from '../ports/queue.ts';
import type { Recognizer } from '../ports/recognizer.ts';
import type { Records } from '../ports/records.ts';
import type { Vectors } from '../ports/vectors.ts';

/**
 * What finding out about files needs. It asks of the tables only whether they are there, so that function carries no
 * LanceDB.
 */
export interface IndexPorts {
  records: Records;
  vectors: Pick<Vectors, 'has'>;
  objects: Objects;
  /** What a sync, or a change of many files, has read. */
  indexQueue: Queue;
  /** Small changes, which never wait for large ones. */
  touchQueue: Queue;
  commitQueue: Queue;
  /** Absent: the index is of words only. */
  embedder: Embedder | undefined;
  /** Absent: pages and pictures without text stay so. */
  recognizer?: Recognizer | undefined;
  clock: Clock;
}

/** What the one writer of a workspace's index needs. */
export interface CommitPorts {
  records: Records;
  objects: Objects;
  vectors: Vectors;
  indexQueue: Queue;
  maintainQueue: Queue;
  clock: Clock;
}

/** The workspace whose files are indexed. */
export interface IndexedWorkspace {
  id: string;
  rootPath: string;
}
