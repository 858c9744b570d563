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
  })
  .meta({ id: 'Storage' });
export type Storage = z.infer<typeof storageSchema>;
