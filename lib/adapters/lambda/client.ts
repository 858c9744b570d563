import { LambdaClient } from '@aws-sdk/client-lambda';

let client: LambdaClient | undefined;

/**
 * One client per process, with its connections. Region, credentials, and endpoint come from the SDK's environment. A
 * single attempt, because a command must not run twice (invoke.ts retries throttled calls), with as much time as the
 * function has.
 */
export function lambdaClient(): LambdaClient {
  client ??= new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 430_000, throwOnRequestTimeout: true },
  });
  return client;
}
