import { SQSClient } from '@aws-sdk/client-sqs';

let client: SQSClient | undefined;

/**
 * Returns the only client of the process, with its connections. Region, credentials, and endpoint come from the SDK's
 * environment.
 */
export function sqsClient(): SQSClient {
  client ??= new SQSClient({
    maxAttempts: 5,
    retryMode: 'standard',
    // A receive request waits up to 20 s at SQS.
    requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  return client;
}
