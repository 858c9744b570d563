import * as z from 'zod';

export const networkSchema = z
  .strictObject({
    rxBytesPerSecond: z.number().describe('Bytes received per second.'),
    txBytesPerSecond: z.number().describe('Bytes sent per second.'),
    sampledMs: z
      .number()
      .int()
      .describe('Duration of the measurement, in milliseconds. 0 if the system reports no counters.'),
  })
  .meta({ id: 'NetworkSpeed' });
export type NetworkSpeed = z.infer<typeof networkSchema>;

const bytes = z.number().int();

export const DATA_PARTS = [
  'records',
  'queue',
  'index',
  'versions',
  'attachments',
  'datasets',
  'workspaces',
  'undo',
  'temporary',
  'reserve',
  'other',
] as const;
export type DataPart = (typeof DATA_PARTS)[number];
const dataUseSchema = z
  .strictObject({
    parts: z
      .array(z.strictObject({ name: z.enum(DATA_PARTS), bytes: bytes.describe('Size on disk, in bytes.') }))
      .describe('Bytes on disk per part of the data folder.'),
    isComplete: z
      .boolean()
      .describe('Whether all files were measured. False if there are so many that only the first ones were.'),
  })
  .meta({ id: 'DataUse' });
export type DataUse = z.infer<typeof dataUseSchema>;

export const storageSchema = z
  .strictObject({
    roots: z
      .array(
        z.strictObject({
          path: z.string().describe('Absolute path of the root.'),
          totalBytes: bytes.describe('Size of its file system, in bytes. 0 if the root does not exist.'),
          freeBytes: bytes.describe('Free space of its file system, in bytes.'),
        }),
      )
      .describe('Workspace roots.'),
    fileSystem: z
      .strictObject({
        id: z.string().describe('ID of the EFS file system.'),
        state: z.string().describe('State of the file system, such as `available`.'),
        sizeBytes: bytes.describe('Size in bytes, as last metered (about once per hour).'),
        throughputMode: z.string().describe('Throughput mode, such as `elastic`.'),
      })
      .nullable()
      .describe('EFS file system of a deployment on AWS. Null on a single host.'),
    data: dataUseSchema
      .optional()
      .describe(
        'Disk usage of the data folder on a single host. Only for administrators whose credential is not bound to workspaces.',
      ),
  })
  .meta({ id: 'Storage' });
export type Storage = z.infer<typeof storageSchema>;
