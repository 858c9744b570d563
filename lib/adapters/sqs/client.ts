import { SQSClient } from '@aws-sdk/client-sqs';

let client: SQSClient | undefined;

/**
 * Returns the process's only client, with its connections. Region, credentials, and endpoint come from the
 * SDK's environment.
 */
export function sqsClient(): SQSClient {
  client ??= new SQSClient({
    maxAttempts: 5,
    retryMode: 'standard',
    // SQS delays the answer to a receive request by up to 20 s.
    requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  return client;
}
