import { LambdaClient } from '@aws-sdk/client-lambda';

let client: LambdaClient | undefined;

/**
 * One for the process, with its connections: region, credentials and endpoint come from the SDK's environment. A single
 * attempt, for a command must not run twice (invoke.ts makes throttled ones again), and as much time as the function has.
 */
export function lambdaClient(): LambdaClient {
  client ??= new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 430_000, throwOnRequestTimeout: true },
  });
  return client;
}
