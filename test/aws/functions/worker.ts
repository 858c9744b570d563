import { appendFile } from 'node:fs/promises';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { s3Objects } from '../../../lib/adapters/s3/objects.ts';
import { serveQueue } from '../../../lib/queue/worker.ts';

const { BUCKET = '', SEEN_FILE = '' } = process.env;

/** Fails on messages named poison; records each message that it gets. */
export const handler = serveQueue({
  message: z.object({ name: z.string(), padding: z.string().optional() }),
  queues: {},
  objects: s3Objects(new S3Client(), BUCKET),
  async handle(messages) {
    for (const { name, padding = '' } of messages) {
      await appendFile(SEEN_FILE, `${name} ${padding.length}\n`);
      if (name.startsWith('poison')) throw new Error('poisoned');
    }
  },
});
