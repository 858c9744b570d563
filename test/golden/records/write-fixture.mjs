/** Runs in the checkout of a release, from its `lib` folder: that release's adapters write what was picked. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { toItem, translation } from './adapters/dynamodb/table.ts';
import { openDatabase } from './adapters/sqlite/database.ts';
import { sqliteRecords } from './adapters/sqlite/records.ts';

const [picked = '', folder = ''] = process.argv.slice(2);
const records = JSON.parse(readFileSync(picked, 'utf8'));
mkdirSync(folder, { recursive: true });

const items = records.map((record) => {
  const item = toItem(record, JSON.stringify(record.value));
  return JSON.stringify(marshall(item, translation.marshallOptions));
});
writeFileSync(join(folder, 'items.jsonl'), `${items.join('\n')}\n`);

const database = openDatabase(mkdtempSync(join(tmpdir(), 'fixture-')));
const early = { now: () => 0 }; // what lived for a minute is kept too
await sqliteRecords(database, early).putMany(records);
database.prepare('VACUUM INTO ?').run(join(folder, 'service.sqlite'));
database.close();
