import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { describeConversations } from '../contract/conversations.contract.ts';
import { connectDynamodb, createTable } from './table.ts';

describeConversations('DynamoDB Local', async (clock) => {
  const client = connectDynamodb('DYNAMODB_URL');
  return dynamodbRecords(client, await createTable(client), clock);
});
