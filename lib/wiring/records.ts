import { join } from 'node:path';
import type { Config } from '../config.ts';
import { closeOwnFolders, codeFolder } from '../paths/own-folders.ts';
import type { Records } from '../ports/records.ts';
import { openTraces } from './tracing.ts';

/**
 * Opens the configured records store. It gives access to workspaces, so the service first makes sure that
 * none of them can be one of its own folders. Tracing starts here too, because every function that does work
 * opens the store.
 */
export async function openRecords(config: Config): Promise<Records> {
  const { aws, dataDir, recognition } = config;
  await openTraces(config);
  const closed = [dataDir, codeFolder(import.meta.dirname), recognition.folder];
  closeOwnFolders({
    closed: closed.filter((folder) => folder !== undefined),
    open: join(dataDir, 'workspaces'),
  });
  if (aws === undefined) {
    const [{ openDatabase }, { sqliteRecords }] = await Promise.all([
      import('../adapters/sqlite/database.ts'),
      import('../adapters/sqlite/records.ts'),
    ]);
    const database = openDatabase(dataDir);
    return cachedRecords(database, () => sqliteRecords(database));
  }
  const [{ dynamodbClient }, { dynamodbRecords }] = await Promise.all([
    import('../adapters/dynamodb/client.ts'),
    import('../adapters/dynamodb/records.ts'),
  ]);
  const client = dynamodbClient();
  return cachedRecords(client, () => dynamodbRecords(client, aws.tableName));
}

/** Stores shared by all functions of a process, so that they also share a store's cached data (budgets, settings). */
const cache = new WeakMap<object, Records>();

function cachedRecords(store: object, open: () => Records): Records {
  const records = cache.get(store) ?? open();
  cache.set(store, records);
  return records;
}
