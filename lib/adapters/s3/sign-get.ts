import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Signs URLs. Until a URL expires, its holder can read one object, and nothing else. */
export function signGet(
  client: S3Client,
  bucketName: string,
): (key: string, expiresInSeconds: number) => Promise<string> {
  return (key, expiresIn) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucketName, Key: key }), { expiresIn });
}
