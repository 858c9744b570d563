import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { readBody } from '../../../infra/local/read-body.ts';

const MB = 1024 * 1024;

describe('body that arrives byte by byte', () => {
  it('is read completely, and needs little more memory than its size', async () => {
    const sent = '0123456789'.repeat(100_000);
    const request = Readable.from(byteByByte(sent), { objectMode: true });
    const before = heldBytes();
    let most = 0;
    let taken = 0;
    const take = () => {
      if (++taken % 100_000 === 0) most = Math.max(most, heldBytes() - before);
    };
    const body = await readBody(request as IncomingMessage, { take, release: () => undefined }, 60_000);
    expect(body?.toString() === sent).toBe(true);
    expect(taken).toBe(sent.length);
    expect(most).toBeLessThan(64 * MB);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the memory in use, without garbage, whose size depends on the host's load. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Returns as many bytes at a time as one socket read. */
async function* byteByByte(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    if (at % 10_000 === 0) await setImmediate();
    yield bytes.subarray(at, at + 1);
  }
}
