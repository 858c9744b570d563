import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

let client: SecretsManagerClient | undefined;

/**
 * Returns the process's only client, with its connections. Region, credentials, and endpoint come from the
 * SDK's environment.
 */
export function secretsManagerClient(): SecretsManagerClient {
  client ??= new SecretsManagerClient({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  return client;
}
