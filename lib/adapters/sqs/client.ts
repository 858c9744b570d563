import { SQSClient } from '@aws-sdk/client-sqs';

let client: SQSClient | undefined;

/** One for the process, with its connections: region, credentials and endpoint come from the SDK's environment. */
export function sqsClient(): SQSClient {
  client ??= new SQSClient({
    maxAttempts: 5,
    retryMode: 'standard',
    // A request for messages waits for up to 20 s on the other side.
    requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  return client;
}
