import type { Clock } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';

/** Ports of all dataset functions, in the API and in the worker. */
export interface DatasetPorts {
  records: Records;
  clock: Clock;
  objects: Objects;
  datasetQueue: Queue;
  filesChanged: FilesChanged;
  /** The folder that contains a folder per dataset. */
  datasetsDir: string;
}
