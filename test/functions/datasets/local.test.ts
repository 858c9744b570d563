import { createHash } from 'node:crypto';
import { access, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DescribedDataset, Preview } from '../../../lib/datasets/schema.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const ISO = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
let made = 0;

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = join(service.root, `data-${++made}`);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(folder, { recursive: true });
  return folder;
}

function importFolder(localPath: string, name?: string) {
  return service.call<DescribedDataset>('POST', '/api/datasets/import-local', { localPath, name });
}

async function imported(files: Record<string, string>): Promise<DescribedDataset> {
  const { status, body } = await importFolder(await folderOf(files));
  expect(status).toBe(201);
  return body;
}

function preview(id: string, query = '') {
  return service.call<Preview>('GET', `/api/datasets/${id}/preview${query}`);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('import-local', () => {
  it('returns 201 with a ready record: manifest, stats, and actual row counts', async () => {
    const folder = await folderOf({
      'train.jsonl': '{"a":1}\n{"a":2}\n',
      'test/t.csv': 'a,b\n1,2\n',
      'README.md': '# Hello',
      '.git/config': 'x',
    });
    await symlink('/etc/passwd', join(folder, 'passwd.csv'));
    const { status, body } = await importFolder(folder, 'Mine');
    expect(status).toBe(201);
    const file = (path: string, format: string, text: string, rows: number | null) => {
      return { path, format, sizeBytes: text.length, rows, sha256: sha256(text) };
    };
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Mine',
      repoId: folder,
      repoType: 'dataset',
      source: 'local',
      revision: null,
      commit: null,
      allowPatterns: null,
      ignorePatterns: null,
      status: 'ready',
      phase: 'done',
      progress: 100,
      downloadedBytes: 31,
      totalBytes: 31,
      downloadedFiles: 3,
      totalFiles: 3,
      bytesPerSecond: null,
      etaSeconds: null,
      error: null,
      localPath: folder,
      manifest: {
        version: 1,
        commit: null,
        splits: {
          default: { files: [file('README.md', 'text', '# Hello', null)], numFiles: 1, numRows: null },
          test: { files: [file('test/t.csv', 'csv', 'a,b\n1,2\n', 1)], numFiles: 1, numRows: 1 },
          train: {
            files: [file('train.jsonl', 'jsonl', '{"a":1}\n{"a":2}\n', 2)],
            numFiles: 1,
            numRows: 2,
          },
        },
      },
      stats: {
        sizeBytes: 31,
        numFiles: 3,
        formats: { text: 1, csv: 1, jsonl: 1 },
        splits: {
          default: { numFiles: 1, numRows: null },
          test: { numFiles: 1, numRows: 1 },
          train: { numFiles: 1, numRows: 2 },
        },
      },
      createdAt: ISO,
      updatedAt: ISO,
    });
    expect((await service.call('GET', `/api/datasets/${body.id}`)).body).toEqual(body);
    const list = await service.call<DescribedDataset[]>('GET', '/api/datasets?limit=1');
    expect(list.body).toEqual([body]);
    expect((await service.call('GET', `/api/datasets/${body.id}/status`)).body).toMatchObject({
      datasetId: body.id,
      status: 'ready',
      phase: 'done',
      progress: 100,
      totalFiles: 3,
    });
  });

  it('accepts a directory by its real path only', async () => {
    const outside = join(service.dataDir, 'outside');
    await mkdir(outside, { recursive: true });
    await symlink(outside, join(service.root, 'way-out'));
    expect((await importFolder('way-out')).body).toEqual({
      error:
        'localPath must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.',
    });
    expect((await importFolder('../outside')).status).toBe(400);
    expect((await importFolder('/')).status).toBe(400);
    expect((await importFolder('not-there')).status).toBe(404);
    await writeFile(join(service.root, 'a-file'), '');
    expect((await importFolder('a-file')).status).toBe(400);
    expect((await importFolder('a\0b')).status).toBe(400);
  });

  it.each(['', '?deleteFiles=true'])('is deleted without its directory: DELETE%s', async (query) => {
    const { id, localPath } = await imported({ 'a.csv': 'a\n1\n' });
    expect(await service.call('DELETE', `/api/datasets/${id}${query}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await service.call('GET', `/api/datasets/${id}`)).status).toBe(404);
    expect((await service.call('DELETE', `/api/datasets/${id}`)).status).toBe(404);
    await access(join(localPath, 'a.csv'));
  });
});

describe('refresh', () => {
  it('counts the current rows', async () => {
    const { id, localPath } = await imported({ 'a.csv': 'a\n1\n' });
    await writeFile(join(localPath, 'a.csv'), 'a\n1\n2\n3\n');
    const { status, body } = await service.call<DescribedDataset>('POST', `/api/datasets/${id}/refresh`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      stats: { sizeBytes: 8, splits: { default: { numRows: 3 } } },
    });
    await rm(localPath, { recursive: true });
    expect((await service.call('POST', `/api/datasets/${id}/refresh`)).status).toBe(409);
  });
});

describe('preview', () => {
  it('shows train without a split, and shows any split by its name or a synonym', async () => {
    const { id } = await imported({
      'train/a.jsonl': '{"n":1}\n',
      'train/b.jsonl': '{"n":2}\n{"n":3}\n',
      'en/validation/c.csv': 'x\n1\n',
      'notes.txt': 'hello',
    });
    expect(await preview(id)).toMatchObject({
      status: 200,
      body: {
        split: 'train',
        columns: [{ name: 'n', type: 'integer' }],
        rows: [{ n: 1 }, { n: 2 }, { n: 3 }],
        format: 'jsonl',
        totalRows: 3,
      },
    });
    expect((await preview(id, '?n=2')).body.rows).toHaveLength(2);
    for (const split of ['en/valid', 'en/validation'])
      expect((await preview(id, `?split=${split}`)).body).toMatchObject({
        split: 'en/valid',
        rows: [{ x: '1' }],
      });
    expect((await preview(id, '?split=default')).body).toMatchObject({
      format: 'unknown',
      rows: [],
      totalRows: null,
    });
    expect(await preview(id, '?split=nope')).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^split must be an existing split: .*train/) },
    });
  });

  it("limits n to 1000 and rejects values that aren't numbers", async () => {
    const { id } = await imported({ 'a.csv': `a\n${'1\n'.repeat(1500)}` });
    expect((await preview(id, '?n=5000')).body.rows).toHaveLength(1000);
    expect((await preview(id, '?n=0')).status).toBe(400);
    expect((await preview(id, '?n=x')).status).toBe(400);
  });

  it('continues at the offset across files', async () => {
    const { id } = await imported({
      'train/a.csv': `n\n${[0, 1, 2].join('\n')}\n`,
      'train/b.csv': `n\n${[3, 4].join('\n')}\n`,
      'train/c.csv': `n\n${[5, 6, 7].join('\n')}\n`,
    });
    const from = async (offset: number) => {
      const { body } = await preview(id, `?n=3&offset=${offset}`);
      expect(body.totalRows).toBe(8);
      return body.rows.map(({ n }) => n).join('');
    };
    expect(await from(0)).toBe('012');
    expect(await from(2)).toBe('234');
    expect(await from(4)).toBe('456');
    expect(await from(6)).toBe('67');
    expect(await from(8)).toBe('');
  });

  it.each(['-1', '0.5', 'x', '1e13'])('rejects offset=%s', async (offset) => {
    const { id } = await imported({ 'a.csv': 'a\n1\n' });
    const answer = await preview(id, `?offset=${offset}`);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('offset') } });
  });

  it('reports which file is damaged', async () => {
    const { id } = await imported({ 'a.parquet': 'PAR1 no parquet PAR1' });
    expect(await preview(id)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^a\.parquet can't be shown\./) },
    });
  });
});

describe('dataset action', () => {
  it.each([
    ['pause', 'downloading'],
    ['cancel', 'pending or downloading'],
    ['retry', 'paused or failed or cancelled'],
  ])('%s is rejected for a ready dataset', async (call, states) => {
    const { id } = await imported({ 'a.csv': 'a\n' });
    expect(await service.call('POST', `/api/datasets/${id}/${call}`)).toMatchObject({
      status: 409,
      body: { error: `The dataset is ready. To ${call} it, it must be ${states}.` },
    });
  });
});

describe('dataset list', () => {
  it('has pages, newest first', async () => {
    const ids: string[] = [];
    for (let each = 0; each < 3; each++) ids.unshift((await imported({ 'a.csv': 'a\n' })).id);
    const found: string[] = [];
    let cursor: string | undefined;
    while (found.length < 3) {
      const query = cursor === undefined ? '' : `&cursor=${cursor}`;
      const page = await service.call<DescribedDataset[]>('GET', `/api/datasets?limit=1${query}`);
      found.push(...page.body.map(({ id }) => id));
      cursor = page.headers['x-next-cursor'] as string;
    }
    expect(found).toEqual(ids);
    expect((await service.call('GET', '/api/datasets?cursor=x')).status).toBe(400);
  });
});
