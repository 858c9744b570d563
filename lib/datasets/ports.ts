import type { Clock } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';

/** What everything about datasets needs, in the API as in the worker. */
export interface DatasetPorts {
  records: Records;
  clock: Clock;
  objects: Objects;
  datasetQueue: Queue;
  filesChanged: FilesChanged;
  /** Contains a folder per dataset. */
  datasetsDir: string;
}
