import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { backUpBeforeUpgrade } from '../../../infra/backup/before-upgrade.ts';
import { restoreBackup } from '../../../infra/backup/restore.ts';
import {
  currentFormat,
  dataFormatOf,
  MIGRATIONS,
  openDatabase,
} from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const RECORD = { key: { partition: 'p', sort: 's' }, value: { text: 'owls' } };

/** The step of a later release. With it, this release is an earlier one. */
const LATER = 'CREATE TABLE later (id TEXT)';
const EARLIER = currentFormat();

async function folderOfEarlierRelease(): Promise<string> {
  MIGRATIONS.pop();
  const dataDir = join(await tempFolder(), 'data');
  const database = openDatabase(dataDir);
  await sqliteRecords(database).put(RECORD);
  database.close();
  await mkdir(join(dataDir, 'workspaces'));
  await writeFile(join(dataDir, 'workspaces/owls.md'), 'Owls hunt at night.');
  MIGRATIONS.push(LATER);
  return dataDir;
}

beforeEach(() => void MIGRATIONS.push(LATER));
afterEach(() => void MIGRATIONS.pop());

async function recordsIn(dataDir: string): Promise<unknown> {
  const database = openDatabase(dataDir, 'keep');
  const found = await sqliteRecords(database).get(RECORD.key);
  database.close();
  return found;
}

const SETTINGS = { upgradesWithoutBackup: false };

it('upgrade backs up a folder of an earlier format, which can be restored unchanged', async () => {
  const dataDir = await folderOfEarlierRelease();
  expect(() => openDatabase(dataDir)).toThrow(`earlier release (format ${EARLIER}). Start the service once`);
  const from = (await backUpBeforeUpgrade({ dataDir, ...SETTINGS })) ?? '';
  expect(from).toContain(`before-upgrade/format-${EARLIER}-`);
  openDatabase(dataDir, 'upgrade').close();
  expect(dataFormatOf(dataDir)).toBe(currentFormat());
  expect(await backUpBeforeUpgrade({ dataDir, ...SETTINGS })).toBeUndefined();

  const back = join(await tempFolder(), 'back');
  await restoreBackup({ from, dataDir: back, signal: new AbortController().signal, tell: () => {} });
  expect(dataFormatOf(back)).toBe(EARLIER);
  expect(await recordsIn(back)).toEqual(RECORD.value);
  expect(await readFile(join(back, 'workspaces/owls.md'), 'utf8')).toBe('Owls hunt at night.');
});

it('upgrade rejects a folder of a newer release, and says what to do', async () => {
  const dataDir = await folderOfEarlierRelease();
  const file = new DatabaseSync(join(dataDir, 'service.sqlite'));
  file.exec('PRAGMA user_version = 99');
  file.close();
  await expect(backUpBeforeUpgrade({ dataDir, ...SETTINGS })).rejects.toThrow(
    /newer release \(format 99.*\)\. Start that release, or restore a backup/,
  );
});

it('upgrade leaves a folder unchanged that another service still has open', async () => {
  const dataDir = await folderOfEarlierRelease();
  const earlier = openDatabase(dataDir, 'keep');
  for (const upgradesWithoutBackup of [false, true])
    await expect(backUpBeforeUpgrade({ dataDir, upgradesWithoutBackup })).rejects.toThrow(
      /earlier release of the service is still running on .*\. Stop it/,
    );
  earlier.close();
  expect(await backUpBeforeUpgrade({ dataDir, ...SETTINGS })).toMatch(/before-upgrade/);
});

it('upgrade makes no backup if a setting disables it', async () => {
  const dataDir = await folderOfEarlierRelease();
  expect(await backUpBeforeUpgrade({ dataDir, upgradesWithoutBackup: true })).toBeUndefined();
});
