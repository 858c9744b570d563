import { S3Client } from '@aws-sdk/client-s3';

let client: S3Client | undefined;

/**
 * One for the process, with its connections: region, credentials and endpoint come from the SDK's environment.
 * Idle sockets are bounded, not whole requests: a part of 8 MB or a reader of a long body may take its time.
 */
export function s3Client(): S3Client {
  client ??= new S3Client({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, socketTimeout: 30_000 },
  });
  return client;
}
