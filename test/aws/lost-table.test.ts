import { DeleteObjectsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { describeLostTables } from '../contract/lost-tables.contract.ts';
import { bucketVectors, newBucketName } from '../support/bucket-tables.ts';
import { createBucket, emulatorAddress, emulatorS3Client } from '../support/emulator.ts';
import { startPipeline } from '../support/pipeline.ts';

const client = emulatorS3Client('MINISTACK_URL');
const bucket = await createBucket(client, newBucketName());
const pipeline = await startPipeline(bucketVectors(client, emulatorAddress('MINISTACK_URL'), bucket));

async function empty(workspaceId: string, isLost: (key: string) => boolean): Promise<void> {
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `vectors/${workspaceId}/` });
  for await (const { Contents = [] } of pages) {
    const Objects = Contents.filter(({ Key = '' }) => isLost(Key)).map(({ Key }) => ({ Key }));
    if (Objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
  }
}

describeLostTables('a prefix of a bucket', async () => ({ pipeline, lose: (id) => empty(id, () => true) }));

describeLostTables('a prefix whose mark is left', async () => ({
  pipeline,
  lose: (id) => empty(id, (key) => !key.endsWith('/made')),
  searchFails: true,
}));
