import type * as z from 'zod';
import type { KeptPath } from './kept-run.ts';
import type { changedFileSchema } from './schema.ts';

export type ChangedFile = z.infer<typeof changedFileSchema>;

/** A change of a run as it is now. */
export interface Change {
  path: string;
  kept: KeptPath;
  change: 'created' | 'changed' | 'deleted';
  undo: ChangedFile['undo'];
}
