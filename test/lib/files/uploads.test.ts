import { beforeEach, describe, expect, it } from '@jest/globals';
import { objectsFolder } from '../../../lib/adapters/disk/layout.ts';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import { diskPresignPut } from '../../../lib/adapters/disk/presigned.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { readConfig } from '../../../lib/config.ts';
import { readUpload, startUpload } from '../../../lib/files/uploads.ts';
import type { Objects } from '../../../lib/ports/objects.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
let ports: { records: Records; objects: Objects; clock: { now(): number } };
let now: number;

beforeEach(async () => {
  const config = readConfig({ DATA_DIR: await tempFolder(), PUBLIC_URL: 'http://127.0.0.1:1' });
  now = Date.now();
  ports = {
    records: sqliteRecords(openDatabase(config.dataDir)),
    objects: diskObjects(objectsFolder(config), diskPresignPut(config)),
    clock: { now: () => now },
  };
});

async function start(): Promise<string> {
  const workspace = { id: 'w', name: 'w', rootPath: await tempFolder(), createdAt: '' };
  return (await startUpload(ports, workspace, { path: 'a.bin', size: 3, actor: 'local' })).uploadId;
}

describe('readUpload', () => {
  it('tells an upload as failed once its address has expired and nothing came', async () => {
    const id = await start();
    now += HOUR_MS - 1000;
    expect(await readUpload(ports, id)).toMatchObject({ status: 'waiting' });
    now += 2000;
    expect(await readUpload(ports, id)).toMatchObject({
      status: 'failed',
      error: 'the upload address has expired',
    });
  });

  it('goes on waiting for the worker when the bytes came in time', async () => {
    const id = await start();
    await ports.objects.put(`uploads/${id}`, Buffer.from('abc'));
    now += 2 * HOUR_MS;
    const upload = await readUpload(ports, id);
    expect(upload.status).toBe('waiting');
    expect(upload.error).toBeUndefined();
  });
});
