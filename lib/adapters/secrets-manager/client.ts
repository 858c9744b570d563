import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

let client: SecretsManagerClient | undefined;

/** One for the process, with its connections: region, credentials and endpoint come from the SDK's environment. */
export function secretsManagerClient(): SecretsManagerClient {
  client ??= new SecretsManagerClient({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  return client;
}
