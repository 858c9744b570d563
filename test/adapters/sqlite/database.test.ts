import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { databaseFile, makePrivate, openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('makePrivate', () => {
  it('keeps the locks of the process on an existing file, so that another program keeps its log', async () => {
    const folder = await tempFolder();
    const database = openDatabase(folder, 'upgrade');
    database.prepare('INSERT INTO queues VALUES (?, 0, 1, NULL, NULL)').run('a');
    const { ino } = statSync(databaseFile(folder));
    const locks = () => readFileSync('/proc/locks', 'utf8').match(RegExp(`:${ino} `, 'g'))?.length ?? 0;
    expect(locks()).toBeGreaterThan(0);
    makePrivate(databaseFile(folder));
    expect(locks()).toBeGreaterThan(0);
    database.close();
  });
});
