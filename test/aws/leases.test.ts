import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { describeLeases } from '../contract/leases.contract.ts';
import { connectDynamodb, createTable } from './table.ts';

describeLeases('DynamoDB Local', async (clock) => {
  const client = connectDynamodb('DYNAMODB_URL');
  return dynamodbRecords(client, await createTable(client), clock);
});
