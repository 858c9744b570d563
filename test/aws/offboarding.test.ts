import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { describeOffboarding } from '../contract/offboarding.contract.ts';
import { connectDynamodb, createTable } from './table.ts';

describeOffboarding('DynamoDB Local', async (clock) => {
  const client = connectDynamodb('DYNAMODB_URL');
  return dynamodbRecords(client, await createTable(client), clock);
});
