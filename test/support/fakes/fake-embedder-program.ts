import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Order } from '../../../infra/embedder/program.ts';
import { frameReader, writeFrame } from '../../../lib/isolation/frames.ts';
import { CHANNEL } from '../../../lib/isolation/program.ts';

/**
 * Replaces infra/embedder/program.ts. Prints its PID and command, responds to any request with its PID, and
 * exits at a request for `/end`.
 */
const channel = new Socket({ fd: CHANNEL });
channel.on(
  'data',
  frameReader(
    () => 65_536,
    (order) => {
      const { folder, port, runs } = order as Order;
      writeFileSync(join(folder, 'order'), JSON.stringify(runs));
      appendFileSync(join(folder, 'starts'), `${process.pid}\n`);
      if (folder.endsWith('refused')) return writeFrame(channel, { refusal: 'the model is another' });
      createServer((request, response) => {
        if (request.url === '/end') process.exit(3);
        response.end(String(process.pid));
      }).listen(port, '127.0.0.1', () => writeFrame(channel, { listening: true }));
    },
  ),
);
channel.once('close', () => process.exit());
