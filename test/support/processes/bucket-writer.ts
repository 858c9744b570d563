import { S3Client } from '@aws-sdk/client-s3';
import { bucketVectors } from '../bucket-tables.ts';
import { GENERATION_ROWS, generationRows } from '../samples/generations.ts';

/**
 * Writes one generation after the other until it is killed, and reports each commit. Arguments: endpoint,
 * bucket, the first generation.
 */
const [endpoint = '', bucket = '', first] = process.argv.slice(2);
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const client = new S3Client({ endpoint, region: 'eu-west-1', credentials });
const table = await bucketVectors(client, endpoint, bucket).open('w', 'space');
for (let generation = Number(first); ; generation++) {
  await table.write(generationRows(generation), [{ path: 'a', keepBelow: GENERATION_ROWS }]);
  process.stdout.write(`${generation}\n`);
}
