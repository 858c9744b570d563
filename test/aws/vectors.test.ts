import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import type { PassageTable } from '../../lib/ports/vectors.ts';
import { describeVectors } from '../contract/vectors.contract.ts';
import { bucketVectors, newBucketName } from '../support/bucket-tables.ts';
import { createBucket, emulatorAddress, emulatorS3Client } from '../support/emulator.ts';
import { startS3Proxy } from '../support/fakes/s3-proxy.ts';
import { GENERATION_ROWS, generationRows } from '../support/samples/generations.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KILLS = Number(process.env.KILLS ?? 4);
const client = emulatorS3Client('MINISTACK_URL');
const endpoint = emulatorAddress('MINISTACK_URL');
const newBucket = () => createBucket(client, newBucketName());
const bucket = await newBucket();

describeVectors('LanceDB in S3', async () => bucketVectors(client, endpoint, bucket));

/** A PUT of a manifest is a commit. */
const isCommit = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.includes('/_versions/');

async function keysOf(own: string, Prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: own, Prefix }))
    keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
  return keys;
}

describe('writer in S3 that is killed at its commit, with four concurrent readers', () => {
  /**
   * Starts a writer that is killed at its third commit, before or after S3 stores it; returns the last
   * reported commit.
   */
  async function writeUntilKilled(own: string, first: number, when: 'before' | 'after'): Promise<number> {
    let commits = 0;
    let writer: ChildProcess | undefined;
    const kill = async (request: IncomingMessage) => {
      if (isCommit(request) && ++commits === 3) writer?.kill('SIGKILL');
      return commits >= 3 ? 500 : undefined;
    };
    const after = async (request: IncomingMessage) => void (await kill(request));
    const proxy = await startS3Proxy(endpoint, when === 'before' ? { before: kill } : { after });
    const program = resolve(import.meta.dirname, '../support/processes/bucket-writer.ts');
    writer = spawn(process.execPath, [program, proxy, own, String(first)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = first - 1;
    createInterface({ input: writer.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      told = Number(line);
    });
    await once(writer, 'close');
    return told;
  }

  it(`shows only complete commits, and each reported one (${KILLS} kills)`, async () => {
    const own = await newBucket();
    const table = await bucketVectors(client, endpoint, own).open('w', 'space');
    await table.write(generationRows(0), []);
    let writing = true;
    const looks: number[] = [];
    const readers = Array.from({ length: 4 }, () => look(bucketVectors(client, endpoint, own)));
    let told = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      told = await writeUntilKilled(own, told + 1, kill % 2 === 0 ? 'before' : 'after');
      const found = await generationOf(table);
      expect(found).toBe(kill % 2 === 0 ? told : told + 1);
      told = found;
    }
    await table.write(generationRows(told + 1), [{ path: 'a', keepBelow: GENERATION_ROWS }]);
    await table.maintain();
    expect(await generationOf(table)).toBe(told + 1);
    writing = false;
    await Promise.all(readers);
    expect(looks.length).toBeGreaterThan(10);

    async function look(vectors: ReturnType<typeof bucketVectors>): Promise<void> {
      const reading = await vectors.open('w', 'space');
      for (let last = 0; writing; ) {
        const seen = await generationOf(reading);
        expect(seen).toBeGreaterThanOrEqual(last);
        last = seen;
        looks.push(seen);
      }
    }
  }, 120_000);

  /** Returns the generation that a read and a search see. Throws if one of them sees only part of it. */
  async function generationOf(table: PassageTable): Promise<number> {
    const rows = await table.rowsOf('a');
    const generations = new Set(rows.map(({ fileHash }) => fileHash));
    expect([rows.length, generations.size, await table.count()]).toEqual([
      GENERATION_ROWS,
      1,
      GENERATION_ROWS,
    ]);
    expect(await table.searchText('word', 50)).toHaveLength(GENERATION_ROWS);
    return Number(rows[0]?.fileHash);
  }
});

describe('tables in S3', () => {
  it('are read without writes if the reader has no write permission', async () => {
    const own = await newBucket();
    const table = await bucketVectors(client, endpoint, own).open('w', 'space');
    await table.write(generationRows(1), []);
    const refused: string[] = [];
    const readOnly = await startS3Proxy(endpoint, {
      async before({ method = '', url = '' }) {
        if (method === 'GET' || method === 'HEAD') return undefined;
        refused.push(`${method} ${url}`);
        return 403;
      },
    });
    const reader = await bucketVectors(client, readOnly, own).open('w', 'space');
    expect(await reader.count()).toBe(GENERATION_ROWS);
    expect(await reader.searchText('word', 5)).toHaveLength(5);
    expect(await reader.searchVector(Float32Array.of(1, 0, 0, 0), 5)).toHaveLength(5);
    expect(await reader.dimensions()).toBe(4);
    for await (const some of reader.passages()) expect(some).toHaveLength(GENERATION_ROWS);
    expect(refused).toEqual([]);
    await expect(reader.write(generationRows(2), [])).rejects.toThrow();
    expect(refused.length).toBeGreaterThan(0);
  });

  it('are found in a folder after they are copied there, as docs/deploy/aws-index-in-s3.md describes', async () => {
    const [folder, own] = [await tempFolder(), await newBucket()];
    const before = await lancedbVectors(folder).open('w', 'space');
    await before.write(generationRows(1), []);
    const objects = s3Objects(client, own);
    for (const file of globSync('w/space.lance/**', { cwd: folder, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      const key = relative(folder, path).replace('space.lance', 'space/copied.lance');
      await objects.put(`vectors/${key}`, await readFile(path));
    }
    await objects.put('vectors/w/space/made', Buffer.from('copied'));
    const table = await bucketVectors(client, endpoint, own).open('w', 'space');
    expect(await table.rowsOf('a')).toEqual(generationRows(1));
    await table.write(generationRows(2), []);
    await table.maintain();
    expect(await table.searchText('2', 50)).toHaveLength(GENERATION_ROWS);
  });

  it('are created again if their creator is killed after the mark', async () => {
    const own = await newBucket();
    await s3Objects(client, own).put('vectors/w/space/made', Buffer.from('a-name'));
    const table = await bucketVectors(client, endpoint, own).open('w', 'space');
    expect(await table.count()).toBe(0);
    await table.write(generationRows(1), []);
    expect(await table.count()).toBe(GENERATION_ROWS);
    expect(await keysOf(own, 'vectors/w/space/a-name.lance/')).not.toEqual([]);
  });

  it('disappear immediately when they are dropped, and an interrupted drop is finished by the next one', async () => {
    const own = await newBucket();
    const objects = s3Objects(client, own);
    const vectors = bucketVectors(client, endpoint, own);
    for (const space of ['one', 'two']) await (await vectors.open('w', space)).write(generationRows(1), []);
    await (await vectors.open('w2', 'one')).write(generationRows(1), []);
    await objects.delete('vectors/w/one/made'); // the first step of removing a table
    const elsewhere = bucketVectors(client, endpoint, own);
    expect(await (await elsewhere.open('w', 'one')).count()).toBe(0);
    await vectors.drop('w', { keepSpace: 'two' });
    expect(await keysOf(own, 'vectors/w/one/')).toEqual([]);
    expect(await (await elsewhere.open('w', 'two')).count()).toBe(GENERATION_ROWS);
    await vectors.drop('w');
    expect(await keysOf(own, 'vectors/w/')).toEqual([]);
    expect(await keysOf(own, 'vectors/w2/')).not.toEqual([]);
  });
});
