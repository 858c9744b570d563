import { S3Client } from '@aws-sdk/client-s3';

let client: S3Client | undefined;

/**
 * One client per process, with its connections. Region, credentials, and endpoint come from the SDK's environment. Idle
 * sockets have a limit, whole requests don't: a part of 8 MB or a reader of a long body may take its time.
 */
export function s3Client(): S3Client {
  client ??= new S3Client({
    maxAttempts: 5,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: 3000, socketTimeout: 30_000 },
  });
  return client;
}
