import { describeVectors } from '../contract/vectors.contract.ts';
import { bucketVectors, newBucketName } from '../support/bucket-tables.ts';
import { createBucket, emulatorAddress, emulatorS3Client } from '../support/emulator.ts';

const client = emulatorS3Client('MINISTACK_URL');
const endpoint = emulatorAddress('MINISTACK_URL');
const bucket = await createBucket(client, newBucketName());

describeVectors('LanceDB in S3', async () => bucketVectors(client, endpoint, bucket));
