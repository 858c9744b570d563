import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { ServiceEnvironment } from './service.ts';
import { wholeNumber } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const cloudVariables = {
  TABLE_NAME: z.string().optional(),
  BUCKET_NAME: z.string().optional(),
  SECRETS_PREFIX: z.string().optional(),
  FILE_SYSTEM_ID: z.string().optional(),
  VECTORS_URL: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*$/, 'must be s3://BUCKET/FOLDER without a trailing slash')
    .optional(),
  VECTORS_CACHE_MB: wholeNumber(16, 8192).default(256),
};
export type CloudEnvironment = z.infer<z.ZodObject<typeof cloudVariables>>;

interface AwsConfig {
  tableName: string;
  bucketName: string;
  /** The prefix of every secret's name in this deployment. */
  secretsPrefix: string;
  fileSystemId?: string;
  /** Queue URLs, keyed by the names in lib/ports/queue.ts. */
  queueUrls: Record<string, string>;
}

/** Indexes are in a bucket if its URL is set, otherwise in the data folder. */
export function readVectors({ VECTORS_URL, VECTORS_CACHE_MB }: CloudEnvironment) {
  const [bucket = '', ...folders] = VECTORS_URL?.slice('s3://'.length).split('/') ?? [];
  return {
    bucket: bucket === '' ? undefined : { bucket, prefix: folders.join('/') },
    /** The maximum size of the index cache in one process. */
    cacheBytes: VECTORS_CACHE_MB * 1024 * 1024,
  };
}

/**
 * Returns the folder of the OCR engine: `recognition` in the data folder, or RECOGNITION_DIR, which the AWS deployment
 * needs.
 */
export function readRecognition(env: CloudEnvironment & ServiceEnvironment, dataDir: string) {
  const ownFolder = env.TABLE_NAME === undefined ? join(dataDir, 'recognition') : undefined;
  const folder = env.RECOGNITION_DIR === undefined ? ownFolder : resolve(env.RECOGNITION_DIR);
  return { folder, isOn: env.RECOGNITION === 'on' };
}

/** Returns the AWS settings of all ports, if TABLE_NAME is set. Absent on a single host. */
export function readAws(
  env: CloudEnvironment,
  environment: Record<string, string | undefined>,
): AwsConfig | undefined {
  const { TABLE_NAME, BUCKET_NAME, SECRETS_PREFIX } = env;
  if (TABLE_NAME === undefined) return undefined;
  if (BUCKET_NAME === undefined || SECRETS_PREFIX === undefined)
    throw new Error('TABLE_NAME needs BUCKET_NAME and SECRETS_PREFIX. Set both.');
  return {
    tableName: TABLE_NAME,
    bucketName: BUCKET_NAME,
    secretsPrefix: SECRETS_PREFIX,
    fileSystemId: env.FILE_SYSTEM_ID,
    queueUrls: readQueueUrls(environment),
  };
}

/** The prefix of a queue's name in the variable with its URL. */
export const QUEUE_URL_PREFIX = 'QUEUE_URL_';

/** Reads QUEUE_URL_INDEX and the like, by the name of the queue: `index`. */
function readQueueUrls(environment: Record<string, string | undefined>): Record<string, string> {
  const prefix = QUEUE_URL_PREFIX;
  const variables = Object.entries(environment).filter(([name, url]) => name.startsWith(prefix) && url);
  return Object.fromEntries(
    variables.map(([name, url]) => [name.slice(prefix.length).toLowerCase().replaceAll('_', '-'), url ?? '']),
  );
}
