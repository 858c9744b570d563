import * as z from 'zod';
import { collection } from '../records/collection.ts';

/** Events that were written together. */
const frameBatchSchema = z.object({
  /** The agent run, or the chat answer, that the events belong to. */
  runId: z.string(),
  /** The number of the first event, from 1. */
  from: z.int(),
  count: z.int(),
  /**
   * An array of parts as JSON text, because a model's output may be nested more deeply than records allow.
   */
  parts: z.string(),
  expiresAt: z.int(),
});
export type FrameBatch = z.infer<typeof frameBatchSchema>;

export const frameBatches = collection({
  kind: 'agent-frames',
  schema: frameBatchSchema,
  key: ({ runId, from }: { runId: string; from: number }) => ({
    partition: framesPartition(runId),
    sort: frameSort(from),
  }),
  expiresAt: (batch) => batch.expiresAt,
});

export function framesPartition(runId: string): string {
  return `AGENT_FRAMES#${runId}`;
}

export function frameSort(from: number): string {
  return String(from).padStart(10, '0');
}
