import { readFileSync } from 'node:fs';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import * as yaml from 'js-yaml';
import { dynamodbSettings } from '../../lib/adapters/dynamodb/client.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';
import { whenDone } from '../support/temp-folder.ts';

interface StorageFile {
  Resources: {
    Table: {
      Properties: Pick<
        CreateTableCommandInput,
        'AttributeDefinitions' | 'BillingMode' | 'GlobalSecondaryIndexes' | 'KeySchema'
      > & { TimeToLiveSpecification: TimeToLiveSpecification };
    };
  };
}

/** A client with the service's own settings. */
export function connectDynamodb(emulator: 'DYNAMODB_URL' | 'MINISTACK_URL'): DynamoDBClient {
  return closing(new DynamoDBClient({ ...emulatorSettings(emulator), ...dynamodbSettings }));
}

/** A new table as infra/storage.yml defines it, so that tests and stack cannot drift; removed after the test file. */
export async function createTable(client: DynamoDBClient): Promise<string> {
  const file = new URL('../../infra/storage.yml', import.meta.url);
  const { Table } = (yaml.load(readFileSync(file, 'utf8')) as StorageFile).Resources;
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = Table.Properties;
  const TableName = `records-${crypto.randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions,
      BillingMode,
      GlobalSecondaryIndexes,
      KeySchema,
    }),
  );
  whenDone(() => client.send(new DeleteTableCommand({ TableName })));
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  const { TimeToLiveSpecification } = Table.Properties;
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  return TableName;
}
