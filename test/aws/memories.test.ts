import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { describeMemories } from '../contract/memories.contract.ts';
import { connectDynamodb, createTable } from './table.ts';

describeMemories('DynamoDB Local', async (clock) => {
  const client = connectDynamodb('DYNAMODB_URL');
  return dynamodbRecords(client, await createTable(client), clock);
});
