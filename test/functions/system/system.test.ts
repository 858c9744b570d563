import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DATA_PARTS } from '../../../lib/system/schema.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
// Before the first measurement, because its result is cached for a while.
await writeFile(join(service.root, 'large.bin'), Buffer.alloc(3_000_000));

describe('GET /api/system/network', () => {
  it('returns a speed, without waiting after the first request', async () => {
    const first = await service.call<Record<string, number>>('GET', '/api/system/network');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      rxBytesPerSecond: expect.any(Number),
      txBytesPerSecond: expect.any(Number),
      sampledMs: expect.any(Number),
    });
    await new Promise((done) => setTimeout(done, 250));
    const second = await service.call<Record<string, number>>('GET', '/api/system/network');
    expect(second.status).toBe(200);
    // Since the first; a separate measurement takes 200 ms.
    expect(second.body.sampledMs).toBeGreaterThanOrEqual(240);
  });
});

describe('GET /api/system/storage', () => {
  it('shows an administrator what uses the space in the data folder', async () => {
    const { body } = await service.call<{ data: { parts: { name: string; bytes: number }[] } }>(
      'GET',
      '/api/system/storage',
    );
    const parts = new Map(body.data.parts.map(({ name, bytes }) => [name, bytes]));
    expect(new Set(parts.keys())).toEqual(new Set(DATA_PARTS));
    expect(parts.get('workspaces')).toBeGreaterThanOrEqual(3_000_000);
    expect(parts.get('records')).toBeGreaterThan(0);
    expect(parts.get('other')).toBeLessThan(1_000_000); // no file is counted twice
  });

  it('returns the free space of each root', async () => {
    const { status, body } = await service.call<{ roots: Record<string, unknown>[] }>(
      'GET',
      '/api/system/storage',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      roots: [{ path: service.root, totalBytes: expect.any(Number), freeBytes: expect.any(Number) }],
      fileSystem: null,
      data: { parts: expect.any(Array), isComplete: true },
    });
    const [root] = body.roots;
    expect(root?.totalBytes).toBeGreaterThan(root?.freeBytes as number);
  });
});
