import type { Config } from '../config.ts';
import type { Records } from '../ports/records.ts';

/** The records store, on the side that the configuration names. */
export async function openRecords({ aws, dataDir }: Config): Promise<Records> {
  if (aws === undefined) {
    const [{ openDatabase }, { sqliteRecords }] = await Promise.all([
      import('../adapters/sqlite/database.ts'),
      import('../adapters/sqlite/records.ts'),
    ]);
    return sqliteRecords(openDatabase(dataDir));
  }
  const [{ dynamodbClient }, { dynamodbRecords }] = await Promise.all([
    import('../adapters/dynamodb/client.ts'),
    import('../adapters/dynamodb/records.ts'),
  ]);
  return dynamodbRecords(dynamodbClient(), aws.tableName);
}
