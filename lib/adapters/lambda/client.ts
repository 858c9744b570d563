import { LambdaClient } from '@aws-sdk/client-lambda';

let client: LambdaClient | undefined;

/**
 * Returns the process's only client, with its connections. Region, credentials, and endpoint come from the
 * SDK's environment. Makes a single attempt, because a command must not run twice (invoke.ts retries
 * throttled calls), and waits as long as the function may run.
 */
export function lambdaClient(): LambdaClient {
  client ??= new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 430_000, throwOnRequestTimeout: true },
  });
  return client;
}
