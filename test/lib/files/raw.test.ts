import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerRaw } from '../../../lib/files/raw.ts';
import { openRaw } from '../../../lib/files/read.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MAX = 100;
const bytes = randomBytes(1000);
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  await writeFile(join(folder, 'large.bin'), bytes);
  await writeFile(join(folder, 'fits.bin'), bytes.subarray(0, MAX));
});

async function get(name: string, headers: Record<string, string> = {}) {
  const answer = await answerRaw(await openRaw(folder, name), name, headers, MAX);
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : await buffer(answer.body);
  return { ...answer, body };
}

describe('answerRaw with a response limit', () => {
  it('returns a large file in several responses, each of which has its range', async () => {
    const parts: Buffer[] = [];
    let etag: string | undefined;
    for (let next = 0; next < bytes.length; ) {
      const { status, headers, body } = await get('large.bin', {
        range: `bytes=${next}-`,
        ...(etag && { 'if-range': etag }),
      });
      expect(status).toBe(206);
      expect(body.length).toBe(MAX);
      expect(headers).toMatchObject({
        'content-range': `bytes ${next}-${next + MAX - 1}/1000`,
        'content-length': '100',
      });
      etag = headers.etag;
      parts.push(body);
      next += body.length;
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('also returns the start of the last bytes', async () => {
    const { headers } = await get('large.bin', { range: 'bytes=-500' });
    expect(headers['content-range']).toBe('bytes 500-599/1000');
  });

  it.each([
    ['without a range', {}],
    ['with a range of another version', { range: 'bytes=0-9', 'if-range': '"other"' }],
  ])('rejects the whole file %s, and explains how to request it', async (_how, headers) => {
    await expect(get('large.bin', headers)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('Range: bytes=0-99'),
    });
  });

  it('returns a file that fits completely', async () => {
    expect(await get('fits.bin')).toMatchObject({ status: 200, body: bytes.subarray(0, MAX) });
  });
});
