import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamodbRecords } from '../../../lib/adapters/dynamodb/records.ts';
import { toRecord, translation } from '../../../lib/adapters/dynamodb/table.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { continueParked } from '../../../lib/agent/start/continue.ts';
import { readDatasetManifest } from '../../../lib/datasets/manifest/describe.ts';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { readStoredSource } from '../../../lib/formats/stored-source.ts';
import type { RecordKey, Records, RecordValue, StoredRecord } from '../../../lib/ports/records.ts';
import { type Collection, declaredKinds } from '../../../lib/records/collection.ts';
import { type Run, runs } from '../../../lib/runs/schema.ts';
import { newKinds } from '../../golden/records/new-kinds.ts';
import { startAgentRig } from '../../support/agent.ts';
import { fakeDynamodb } from '../../support/fakes/fake-dynamodb.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const project = resolve(import.meta.dirname, '../../..');
const fixtures = join(project, 'test/golden/records');
const RELEASES = ['1.0.0-rc.1'];
/** The time when the fixtures' records were written, or before their expiration. */
const clock = { now: () => Date.parse('2026-11-20T00:00:00Z') };

type Kind = Collection<Record<string, unknown>, never>;
let kinds: [string, Kind][];

beforeAll(async () => {
  const files = (await readdir(join(project, 'lib'), { recursive: true })).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files) {
    const path = join(project, 'lib', file);
    if ((await readFile(path, 'utf8')).includes('= collection({')) await import(path);
  }
  kinds = [...declaredKinds];
});

/** Returns the kind with a record at this key. */
function kindOf({ key, value }: Pick<StoredRecord, 'key' | 'value'>): [string, Kind] {
  const found = kinds.find(([, kind]) => liesAt(kind, value, key));
  if (found === undefined) throw new Error(`no kind lies at ${key.partition} ${key.sort}`);
  return found;
}

function liesAt(kind: Kind, value: RecordValue, key: RecordKey): boolean {
  try {
    const own = kind.key(value as never);
    return own.partition === key.partition && own.sort === key.sort;
  } catch {
    return false;
  }
}

async function readItems(release: string) {
  const text = await readFile(join(fixtures, `release-${release}`, 'items.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const readStored = async (release: string): Promise<StoredRecord[]> =>
  (await readItems(release)).map((item) =>
    toRecord(
      unmarshall(item, { ...translation.unmarshallOptions, convertWithoutMapWrapper: false }) as never,
    ),
  );

const stores: Record<string, (release: string) => Promise<Records>> = {
  async sqlite(release) {
    const folder = await tempFolder();
    await copyFile(join(fixtures, `release-${release}`, 'service.sqlite'), join(folder, 'service.sqlite'));
    return sqliteRecords(openDatabase(folder, 'upgrade'), clock);
  },
  async dynamodb(release) {
    return dynamodbRecords(await fakeDynamodb(await readItems(release)), 'table', clock);
  },
};

describe.each(RELEASES)('records of release %s', (release) => {
  it.each(Object.keys(stores))(
    'are read from %s with all their fields, individually and in lists',
    async (name) => {
      const records = (await stores[name]?.(release)) as Records;
      const inLists = new Set<Kind>();
      for (const { key, value } of await readStored(release)) {
        const [, kind] = kindOf({ key, value });
        const read = await kind.get(records, value as never);
        const { v: _, ...fields } = value;
        expect({ key, ...JSON.parse(JSON.stringify(read ?? null)) }).toMatchObject({ key, ...fields });
        if (inLists.has(kind)) continue;
        inLists.add(kind);
        const listed = await kind.list(records, { partition: key.partition, sortPrefix: key.sort });
        expect(listed.items).toContainEqual(read);
      }
    },
  );

  it('come with readable conversations, manifests, and texts of documents', async () => {
    const rig = await startAgentRig();
    const { records, objects } = rig.ports;
    const lines = (await readFile(join(fixtures, `release-${release}`, 'objects.jsonl'), 'utf8')).trimEnd();
    const kept = lines.split('\n').map((line): { key: string; body: string } => JSON.parse(line));
    for (const { key, body } of kept) await objects.put(key, Buffer.from(body));
    const keyOf = (prefix: string) => kept.find(({ key }) => key.startsWith(prefix))?.key ?? '';
    expect((await readDatasetManifest(objects, { manifestKey: keyOf('datasets/') }))?.version).toBe(1);
    const extract = kept.find(({ key }) => key.endsWith('.txt'));
    const [, workspaceId = '', hash = ''] = extract?.key.replace('.txt', '').split('/') ?? [];
    const text = await readStoredSource(
      objects,
      { workspaceId, hash },
      readingFormat('a.pdf'),
      new Uint8Array(),
    );
    expect(text).toMatchObject({ text: extract?.body, partStarts: expect.any(Array) });
    const id = keyOf('runs/').split('/')[1] ?? '';
    const stored = await readStored(release);
    const run = stored.find((record) => kindOf(record)[0] === 'agent-run')?.value as Run;
    const waiting = { status: 'waiting' as const, parked: true, finishedAt: null, stopRequested: false };
    await runs.create(records, { ...run, ...waiting, id, workspaceId: rig.workspace.id, expiresAt: 9e9 });
    await continueParked(rig.ports, id, 60_000);
    expect((await rig.find(id)).status).toBe('done');
    expect(rig.model.requests[0]?.messages.length).toBeGreaterThan(1);
  });

  it('include every kind that existed', async () => {
    const found = new Set((await readStored(release)).map((record) => kindOf(record)[0]));
    expect([...found, ...Object.keys(newKinds)].sort()).toEqual(kinds.map(([name]) => name).sort());
  });
});

describe('fields of a later release', () => {
  it('are kept in a record of every kind, at every depth, when this release changes or puts it', async () => {
    const records = sqliteRecords(openDatabase(await tempFolder()), clock);
    const old = (await Promise.all(RELEASES.map(readStored))).flat();
    const young = Object.entries(newKinds).map(([name, value]) => {
      const key = declaredKinds.get(name)?.key(value as never) as RecordKey;
      return { key, value };
    });
    for (const { key, value } of [...old, ...young]) {
      const [, kind] = kindOf({ key, value });
      const later = withMore(value) as RecordValue;
      await records.put({ key, value: later });
      const read = (await kind.get(records, value as never)) ?? {};
      expect(Object.keys(read)).not.toContain('more');
      await kind.put(records, { ...read });
      expect(await records.get(key)).toMatchObject({ ...later, v: 1 });
      for (const [field, part] of Object.entries(read))
        await kind.update(records, value as never, { set: { [field]: part } });
      expect(await records.get(key)).toMatchObject(later);
    }
  });
});

/** The names of their fields are data, not part of a schema. */
const MAPS = new Set(['splits', 'formats', 'headers', 'maintained', 'maintaining']);

/** Returns the value with an additional field in every object that a schema describes. */
function withMore(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => withMore(inner));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, withMore(inner, field)]),
  );
  return MAPS.has(name) ? fields : { ...fields, more: 1 };
}
