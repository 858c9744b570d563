import * as z from 'zod';
import { DATASET_STATUSES } from '../api-contract/dataset-actions.ts';
import { isPathHere, NO_PATH_HERE, pastedRepositoryId } from '../api-contract/pasted.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { flagField } from '../validation/flag-field.ts';

const repoTypeSchema = z.enum(['dataset', 'model', 'space']).meta({ title: 'RepoType' });
export type RepoType = z.infer<typeof repoTypeSchema>;

const sourceSchema = z.enum(['hub_a', 'hub_b', 'local']).meta({ title: 'DatasetSource' });

const statusSchema = z.enum(DATASET_STATUSES).meta({ title: 'DatasetStatus' });

const phaseSchema = z.enum([
  'queued',
  'listing',
  'downloading',
  'verifying',
  'building_manifest',
  'computing_stats',
  'done',
]);

const count = z.number().int().min(0);

export const manifestFileSchema = z
  .object({
    path: z.string().describe('Path relative to the dataset folder.'),
    format: z.string().describe('File format, such as `csv` or `parquet`.'),
    sizeBytes: count.describe('Size of the file, in bytes.'),
    rows: count
      .nullable()
      .describe("Number of rows. Null if the file isn't a table, or is a table that can't be read."),
    sha256: z
      .string()
      .nullable()
      .describe(
        "SHA-256 of the file, in hexadecimal. Null if it isn't known without reading the whole file.",
      ),
  })
  .meta({ id: 'ManifestFile' });
export type ManifestFile = z.infer<typeof manifestFileSchema>;

const manifestSplitSchema = z
  .object({
    files: z.array(manifestFileSchema).describe('Files of the split.'),
    numFiles: count.describe('Number of files of the split.'),
    numRows: count
      .nullable()
      .describe('Number of rows in all files of the split. Null if none of its files is a table.'),
  })
  .meta({ id: 'ManifestSplit' });
export type ManifestSplit = z.infer<typeof manifestSplitSchema>;

export const manifestSchema = z
  .object({
    version: z.literal(1).describe('Version of the manifest format.'),
    commit: z.string().nullable().describe('Commit of the repository. Null for an imported directory.'),
    splits: z.record(z.string(), manifestSplitSchema).describe('Splits of the dataset, by name.'),
  })
  .meta({ id: 'DatasetManifest' });
export type Manifest = z.infer<typeof manifestSchema>;

const statsSchema = z
  .object({
    sizeBytes: count.describe('Total size of all files, in bytes.'),
    numFiles: count.describe('Number of files.'),
    formats: z.record(z.string(), count).describe('Number of files per format.'),
    splits: z
      .record(
        z.string(),
        z.object({
          numFiles: count.describe('Number of files of the split.'),
          numRows: count.nullable().describe('Number of rows. Null if no file of the split is a table.'),
        }),
      )
      .describe('Sizes of the splits, by name.'),
  })
  .meta({ id: 'DatasetStats' });
export type Stats = z.infer<typeof statsSchema>;

const patterns = z.array(z.string());

const datasetFields = {
  id: z.uuid(),
  name: z.string(),
  repoId: z.string().describe('Repository ID in the form owner/name. For an imported directory, its path.'),
  repoType: repoTypeSchema,
  source: sourceSchema.describe(
    'Origin of the dataset: `hub_a` (Hugging Face), `hub_b` (ModelScope), or `local` (an imported directory).',
  ),
  revision: z.string().nullable().describe('Branch, tag, or commit. Null for an imported directory.'),
  commit: z.string().nullable().describe('Commit that the revision pointed to when the files were listed.'),
  allowPatterns: patterns.nullable().describe('Globs of the files to download. Null for all files.'),
  ignorePatterns: patterns.nullable().describe('Globs of files to leave out. Null for none.'),
  status: statusSchema,
  phase: phaseSchema,
  downloadedBytes: count.describe('Number of bytes downloaded so far.'),
  totalBytes: count.describe('Total size in bytes. 0 until the files are listed.'),
  downloadedFiles: count.describe('Number of files downloaded so far.'),
  totalFiles: count.describe('Total number of files. 0 until they are listed.'),
  bytesPerSecond: z
    .number()
    .min(0)
    .nullable()
    .describe('Download speed in bytes per second. Null unless the dataset is downloading.'),
  etaSeconds: count
    .nullable()
    .describe('Estimated remaining time, in seconds. Null unless the dataset is downloading.'),
  error: z.string().nullable().describe('Reason why the download failed. Null otherwise.'),
  localPath: z.string().describe('Absolute path of the dataset folder on the host.'),
  stats: statsSchema.nullable().describe('Statistics of the files. Null until the dataset is ready.'),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

const storedDatasetSchema = z.object({
  ...datasetFields,
  /** The credential that created the dataset. */
  createdBy: z.string(),
  /**
   * Increased by every transition that a caller requests (1 at creation). Each write of a worker requires the
   * `generation` that its message contains, and the worker stops when that fails.
   */
  generation: z.int(),
  /** When the rate was last measured, in milliseconds since the epoch, and at how many bytes. */
  sampledAt: z.int(),
  sampledBytes: count,
  /** True while the dataset is being deleted. No one can see or restore it. */
  deleted: z.boolean(),
  /** The manifest's key in the object store, because a manifest may be larger than a record. */
  manifestKey: z.string().nullable(),
});
/**
 * The dataset as stored. Its progress is computed from the counters, and its manifest is stored separately:
 * lib/datasets/manifest/describe.ts.
 */
export type Dataset = z.infer<typeof storedDatasetSchema>;

/** The list is in order of time, because the IDs are UUIDv7. */
export const datasets = collection({
  kind: 'dataset',
  schema: storedDatasetSchema,
  key: ({ id }: { id: string }) => ({ partition: DATASETS, sort: id }),
});
export const DATASETS = 'DATASET';

/** The fields of a stored dataset that are returned unchanged. */
export const shownSchema = z.object(datasetFields);

/** The dataset as the API returns it. */
export const datasetSchema = z
  .strictObject({
    ...datasetFields,
    progress: count.max(100).describe('Progress of the download, in percent.'),
    manifest: manifestSchema.nullable().describe('Files by split. Null until the dataset is ready.'),
  })
  .meta({ id: 'Dataset' });
export type DescribedDataset = z.infer<typeof datasetSchema>;

export const datasetStatusSchema = z
  .strictObject({
    datasetId: z.uuid(),
    status: statusSchema,
    progress: count.max(100).describe('Progress of the download, in percent.'),
    phase: phaseSchema,
    downloadedBytes: datasetFields.downloadedBytes,
    totalBytes: datasetFields.totalBytes,
    downloadedFiles: datasetFields.downloadedFiles,
    totalFiles: datasetFields.totalFiles,
    bytesPerSecond: datasetFields.bytesPerSecond,
    etaSeconds: datasetFields.etaSeconds,
    error: datasetFields.error,
  })
  .meta({ id: 'DatasetProgress' });

/** Messages to the dataset worker. The generation makes repeated and late messages harmless. */
export const datasetMessageSchema = z.discriminatedUnion('kind', [
  /** Lists the repository, unless that was already done, and sends out all unverified parts. */
  z.object({ kind: z.literal('plan'), datasetId: z.string(), generation: z.int() }),
  z.object({ kind: z.literal('part'), datasetId: z.string(), generation: z.int(), part: z.int() }),
  /** Counts the files of a local dataset on the disk, which makes it ready. */
  z.object({ kind: z.literal('build'), datasetId: z.string(), generation: z.int() }),
  /** Counts and hashes the files on the disk again. */
  z.object({ kind: z.literal('refresh'), datasetId: z.string(), generation: z.int() }),
  /** Ends a deletion by removing the folder, parts, links, and record. */
  z.object({ kind: z.literal('remove'), datasetId: z.string(), deleteFiles: z.boolean() }),
]);
export type DatasetMessage = z.infer<typeof datasetMessageSchema>;

/** Returns the partition of all records about one dataset, except its own record. */
export function datasetPartition(datasetId: string): string {
  return `DATASET#${datasetId}`;
}

/** A link to a dataset in a workspace. Its key makes the name unique there; the index finds a dataset's links. */
const linkSchema = z.object({
  workspaceId: z.string(),
  name: z.string().describe('Name of the folder below `datasets/`.'),
  datasetId: z.string(),
  linkedAt: timestampSchema,
});
export type DatasetLink = z.infer<typeof linkSchema>;

export const links = collection({
  kind: 'dataset-link',
  schema: linkSchema,
  key: ({ workspaceId, name }: { workspaceId: string; name: string }) => ({
    partition: linksPartition(workspaceId),
    sort: name,
  }),
  index: ({ datasetId, linkedAt, workspaceId }) => ({
    partition: linkedPartition(datasetId),
    sort: `${linkedAt}#${workspaceId}`,
  }),
});

export function linksPartition(workspaceId: string): string {
  return `WORKSPACE_DATASETS#${workspaceId}`;
}

export function linkedPartition(datasetId: string): string {
  return `DATASET_LINKS#${datasetId}`;
}

/** Matches a repository ID in the form `owner/name`, or only a name, like some old repositories of Hugging Face. */
const REPO_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}(\/[A-Za-z0-9_][A-Za-z0-9._-]{0,95})?$/;
const repoId = z
  .string()
  .max(1000, { abort: true })
  .overwrite(pastedRepositoryId)
  .regex(REPO_ID, 'must have the form owner/name, or be the URL of its page')
  .refine(
    (id) => !id.includes('..') && !id.includes('--') && !/\.git$/.test(id),
    "isn't a valid repository ID",
  )
  .describe('Repository ID in the form owner/name.');

/**
 * Must be a valid directory name without slashes or control characters, because a link shows the dataset as a directory
 * of this name.
 */
export const datasetName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^/\\\u0000-\u001f\u007f]+$/, 'must not contain / \\ or control characters')
  .refine((text) => text !== '.' && text !== '..', 'must be a name')
  .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= 255, 'is longer than 255 bytes');

const globs = z.array(z.string().min(1).max(1000)).max(200);

export const createDatasetSchema = z
  .strictObject({
    repoId,
    repoType: repoTypeSchema.default('dataset'),
    revision: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[A-Za-z0-9._/-]+$/, 'must be a branch, tag, or commit')
      .refine((text) => !text.includes('..') && !text.startsWith('/'), 'must be a branch, tag, or commit')
      .optional()
      .describe('Branch, tag, or commit. Defaults to `main` on Hugging Face and `master` on ModelScope.'),
    name: datasetName.optional().describe('Name of the dataset. Defaults to the last part of `repoId`.'),
    allowPatterns: globs
      .optional()
      .describe("Patterns of the files to download, as in Python's `fnmatch`: `*` also matches `/`."),
    ignorePatterns: globs
      .optional()
      .describe('Patterns of the files to skip, in the same form as `allowPatterns`.'),
    source: z
      .enum(['hub_a', 'hub_b'])
      .meta({ title: 'DatasetHub' })
      .default('hub_a')
      .describe('Hub to download from: `hub_a` (Hugging Face) or `hub_b` (ModelScope).'),
  })
  .meta({ id: 'CreateDataset' });
export type CreateDataset = z.output<typeof createDatasetSchema>;

export const importLocalSchema = z
  .strictObject({
    localPath: z
      .string()
      .min(1)
      .max(4096)
      .refine(isPathHere, NO_PATH_HERE)
      .describe('Path of a directory inside WORKSPACE_ROOTS.'),
    name: datasetName.optional().describe('Name of the dataset. Defaults to the last part of `localPath`.'),
  })
  .meta({ id: 'ImportLocalDataset' });
export type ImportLocal = z.output<typeof importLocalSchema>;

export const datasetParams = z.object({ datasetId: idSchema.describe('ID of the dataset.') });
export const datasetsQuery = pageQuery;
export const deleteDatasetQuery = z.object({
  deleteFiles: flagField(
    'Whether to delete the folder of the dataset too. An imported directory is never deleted.',
  ),
});

export const previewQuery = z.object({
  split: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Name of the split. Defaults to `train` if it exists, otherwise to the first split.'),
  n: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((n) => Math.min(n, 1000))
    .describe('Maximum number of rows. Values above 1000 count as 1000.'),
  offset: z.coerce.number().int().min(0).max(1e12).default(0).describe('Number of rows to skip.'),
});

const columnSchema = z
  .strictObject({
    name: z.string().describe('Name of the column.'),
    type: z.string().describe('Type of the values, such as `string` or `int64`.'),
  })
  .meta({ id: 'DatasetColumn' });
export type Column = z.infer<typeof columnSchema>;

export const previewSchema = z
  .strictObject({
    split: z.string(),
    columns: z.array(columnSchema),
    rows: z.array(z.record(z.string(), z.unknown())).describe('Rows as objects, by column name.'),
    format: z.string().describe('Format of the files of the split, such as `parquet`.'),
    totalRows: count
      .nullable()
      .describe('Number of rows of the split. Null if it has no table, or they are not counted.'),
    notices: z
      .array(z.string())
      .describe("Notices about rows or files that weren't read or aren't shown, with the reason."),
  })
  .meta({ id: 'DatasetPreview' });
export type Preview = z.infer<typeof previewSchema>;

export const linkBody = z.strictObject({ workspaceId: idSchema });
export const unlinkQuery = z.object({ workspaceId: idSchema.describe('ID of the workspace.') });
export const linkedWorkspaceSchema = z
  .strictObject({
    workspaceId: z.string(),
    name: z.string(),
    rootPath: z.string().describe('Absolute path of the folder of the workspace.'),
    linkedAt: timestampSchema.describe('Time at which the dataset was linked.'),
  })
  .meta({ id: 'LinkedWorkspace' });

export const repoInfoQuery = z.object({
  repoId,
  repoType: repoTypeSchema.default('dataset').describe('Type of the repository.'),
});
export const repoInfoSchema = z
  .strictObject({
    repoId: z.string(),
    repoType: repoTypeSchema,
    description: z.string().nullable().describe('Description of the repository. Null if it has none.'),
    totalSize: count
      .nullable()
      .describe('Total size of the files, in bytes. Null if the hub does not report it.'),
    totalFiles: count.nullable().describe('Number of files. Null if the hub does not report it.'),
    lastModified: timestampSchema.nullable().describe('Time of the latest change. Null if unknown.'),
    gated: z.boolean().describe('Whether the owner requires users to accept terms on the hub first.'),
    revisions: z.array(z.string()).describe('Branches and tags that can be downloaded.'),
  })
  .meta({ id: 'RepoInfo' });
export type RepoInfo = z.infer<typeof repoInfoSchema>;
