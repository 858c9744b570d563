import { EFSClient } from '@aws-sdk/client-efs';

let client: EFSClient | undefined;

/**
 * Returns the process's only client, with its connections. Region, credentials, and endpoint come from the
 * SDK's environment.
 */
export function efsClient(): EFSClient {
  client ??= new EFSClient({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  return client;
}
