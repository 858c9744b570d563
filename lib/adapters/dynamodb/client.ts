import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

let client: DynamoDBClient | undefined;

/**
 * Returns the process's only client, created at first use. Region, credentials, and endpoint come from the SDK's
 * environment.
 */
export function dynamodbClient(): DynamoDBClient {
  client ??= new DynamoDBClient(dynamodbSettings);
  return client;
}

/**
 * Five attempts with backoff (delays double from 0.1 s, or from 0.5 s when throttled) outlast a partition's short
 * bursts. Not adaptive mode: it would slow every caller of the table for one hot partition.
 */
export const dynamodbSettings = {
  maxAttempts: 5,
  retryMode: 'standard',
  // The SDK only warns about a slow request unless `throwOnRequestTimeout` is set.
  requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};
