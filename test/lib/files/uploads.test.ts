import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { objectsFolder } from '../../../lib/adapters/disk/layout.ts';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import { diskPresignPut } from '../../../lib/adapters/disk/presigned.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { readConfig } from '../../../lib/config.ts';
import { Forbidden } from '../../../lib/errors.ts';
import { addressParts, findUpload, moveUploads, startUpload } from '../../../lib/files/uploads.ts';
import type { Objects } from '../../../lib/ports/objects.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const WORKSPACE_ID = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const CALLER: Caller = { id: 'reader', role: 'viewer', workspaceIds: [WORKSPACE_ID] };
const LOCAL: Caller = { id: 'local', role: 'admin', workspaceIds: null };
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
  const workspace = {
    id: WORKSPACE_ID,
    name: 'w',
    rootPath: await tempFolder(),
    createdAt: new Date(now).toISOString(),
  };
  await workspaces.create(ports.records, workspace);
  return (await startUpload(ports, workspace, { path: 'a.bin', size: 3, caller: LOCAL })).uploadId;
}

describe('findUpload', () => {
  it('finds nothing for a caller who is limited to other workspaces', async () => {
    const stranger = { ...CALLER, workspaceIds: [] };
    await expect(findUpload(ports, stranger, await start())).rejects.toThrow(Forbidden);
  });

  it('returns an upload as failed once its URL has expired without an upload', async () => {
    const id = await start();
    now += HOUR_MS - 1000;
    expect(await findUpload(ports, CALLER, id)).toMatchObject({ status: 'waiting' });
    now += 2000;
    expect(await findUpload(ports, CALLER, id)).toMatchObject({
      status: 'failed',
      error: 'The upload URL has expired. Start a new upload.',
    });
  });

  it('keeps waiting for the worker if the bytes arrived in time', async () => {
    const id = await start();
    await ports.objects.put(`uploads/${id}`, Buffer.from('abc'));
    now += 2 * HOUR_MS;
    const upload = await findUpload(ports, CALLER, id);
    expect(upload.status).toBe('waiting');
    expect(upload.error).toBeUndefined();
  });
});

describe('upload in parts', () => {
  const message = (key: string) => ({ Records: [{ s3: { object: { key } } }] });
  const filesChanged = async () => {};

  it('waits until the last issued URLs expire', async () => {
    const id = await start();
    now += 2 * HOUR_MS;
    expect(await findUpload(ports, CALLER, id)).toMatchObject({ status: 'failed' });
    const { missing } = await addressParts(ports, CALLER, id);
    expect(missing.map(({ number }) => number)).toEqual([0]);
    expect(await findUpload(ports, CALLER, id)).toMatchObject({ status: 'waiting' });
  });

  it('fails if an uploaded part disappears, and leaves no part behind', async () => {
    const id = await start();
    await addressParts(ports, CALLER, id);
    await moveUploads({ ...ports, filesChanged }, message(`uploads/${id}.parts/0`));
    expect(await findUpload(ports, CALLER, id)).toMatchObject({
      status: 'failed',
      error: 'The uploaded bytes no longer exist. Upload the file again.',
    });
    await ports.objects.put(`uploads/${id}.parts/0`, Buffer.from('abc'));
    await moveUploads({ ...ports, filesChanged }, message(`uploads/${id}.parts/0`));
    expect(await ports.objects.getBytes(`uploads/${id}.parts/0`)).toBeUndefined();
  });
});
