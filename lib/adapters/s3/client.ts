import { S3Client } from '@aws-sdk/client-s3';

let client: S3Client | undefined;

/**
 * Returns the process's only client, with its connections. Region, credentials, and endpoint come from the
 * SDK's environment. Idle sockets have a time limit. Whole requests have none, because a part of 8 MB, or the
 * reader of a long body, may take long.
 */
export function s3Client(): S3Client {
  client ??= new S3Client({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, socketTimeout: 30_000 },
  });
  return client;
}
