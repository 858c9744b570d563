import { resolve } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable as createTableFrom } from '../../infra/local/aws-side.ts';
import { readServiceFile } from '../../infra/local/service-file.ts';
import { dynamodbSettings } from '../../lib/adapters/dynamodb/client.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';
import { whenDone } from '../support/temp-folder.ts';

const { resources } = readServiceFile(resolve(import.meta.dirname, '../../serverless.yml'));

/** Opens a client with the service's own settings. */
export function connectDynamodb(emulator: 'DYNAMODB_URL' | 'MINISTACK_URL'): DynamoDBClient {
  return closing(new DynamoDBClient({ ...emulatorSettings(emulator), ...dynamodbSettings }));
}

/**
 * Creates a new table as the host does: as the stack defines it, but without protection. It's removed after
 * the test file.
 */
export async function createTable(client: DynamoDBClient): Promise<string> {
  const TableName = `records-${crypto.randomUUID()}`;
  whenDone(() => client.send(new DeleteTableCommand({ TableName })));
  const properties = { ...resources.Table?.Properties, DeletionProtectionEnabled: false };
  await createTableFrom(client, TableName, properties);
  return TableName;
}
