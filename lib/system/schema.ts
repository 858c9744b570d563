import * as z from 'zod';

export const networkSchema = z
  .strictObject({
    rxBytesPerSecond: z.number(),
    txBytesPerSecond: z.number(),
    sampledMs: z.number().int().describe('over how long; 0 where the system tells nothing'),
  })
  .meta({ id: 'NetworkSpeed' });
export type NetworkSpeed = z.infer<typeof networkSchema>;

const bytes = z.number().int();

export const DATA_PARTS = [
  'records',
  'queue',
  'index',
  'attachments',
  'datasets',
  'workspaces',
  'temporary',
  'reserve',
  'other',
] as const;
export type DataPart = (typeof DATA_PARTS)[number];
const dataUseSchema = z
  .strictObject({
    parts: z
      .array(z.strictObject({ name: z.enum(DATA_PARTS), bytes }))
      .describe('Bytes on the disk by part.'),
    isComplete: z
      .boolean()
      .describe('False where there are so many files that only the first were measured.'),
  })
  .meta({ id: 'DataUse' });
export type DataUse = z.infer<typeof dataUseSchema>;

export const storageSchema = z
  .strictObject({
    roots: z.array(z.strictObject({ path: z.string(), totalBytes: bytes, freeBytes: bytes })),
    fileSystem: z
      .strictObject({
        id: z.string(),
        state: z.string(),
        sizeBytes: bytes.describe('as last metered, about once an hour'),
        throughputMode: z.string(),
      })
      .nullable(),
    data: dataUseSchema
      .optional()
      .describe(
        'What takes the room in the data folder of one machine, for administrators of all workspaces.',
      ),
  })
  .meta({ id: 'Storage' });
export type Storage = z.infer<typeof storageSchema>;
