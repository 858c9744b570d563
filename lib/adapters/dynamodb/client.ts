import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

let client: DynamoDBClient | undefined;

/** The one client of this process, made at the first use. Region, credentials and address come from the SDK's environment. */
export function dynamodbClient(): DynamoDBClient {
  client ??= new DynamoDBClient(dynamodbSettings);
  return client;
}

/**
 * Five attempts with back-off (the waits double from 0.1 s, from 0.5 s when throttled) outlast a partition's short
 * bursts. Standard, not adaptive: that would slow every caller of the table down for one hot partition.
 */
export const dynamodbSettings = {
  maxAttempts: 5,
  retryMode: 'standard',
  // The SDK only warns of a slow request unless `throwOnRequestTimeout` is set.
  requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};
