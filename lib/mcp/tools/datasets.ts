import * as z from 'zod';
import { findDataset } from '../../datasets/links/access.ts';
import { listDatasets } from '../../datasets/manifest/describe.ts';
import { previewDataset } from '../../datasets/manifest/preview.ts';
import { idSchema } from '../../identifiers.ts';
import type { McpPorts } from '../ports.ts';
import { defineMcpTool, type McpTool, READS } from './tool.ts';

const MOST = 20;
const MAX_ROWS = 100;

export function datasetTools(ports: McpPorts): McpTool[] {
  return [listDatasetsTool(ports), previewDatasetTool(ports)];
}

function listDatasetsTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'list_datasets',
    title: 'List datasets',
    description:
      'Lists the datasets that this credential can access, newest first, with their splits and sizes.',
    access: 'viewer',
    input: z.strictObject({
      cursor: z.string().max(200).optional().describe('`next` from the previous result.'),
    }),
    hints: READS,
    foreign: true,
    async run({ cursor }, { caller }) {
      const page = await listDatasets(ports, caller, { limit: MOST, cursor });
      const datasets = page.items.map(({ id, name, repoId, source, status, stats, error }) => {
        return {
          id,
          name,
          repoId,
          source,
          status,
          splits: stats?.splits,
          sizeBytes: stats?.sizeBytes,
          error,
        };
      });
      return { datasets, next: page.cursor };
    },
  });
}

function previewDatasetTool({ records, objects }: McpPorts) {
  return defineMcpTool({
    name: 'preview_dataset',
    title: 'Preview rows of a dataset',
    description: 'Returns the first rows of a split of a ready dataset, with its columns.',
    access: 'viewer',
    input: z.strictObject({
      datasetId: idSchema.describe('ID of a dataset from list_datasets.'),
      split: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('Name of the split. Defaults to `train` if it exists, otherwise to the first split.'),
      n: z.int().min(1).max(MAX_ROWS).default(10).describe('Maximum number of rows.'),
    }),
    hints: READS,
    foreign: true,
    rest: 'Request fewer rows.',
    async run({ datasetId, ...query }, { caller }) {
      return previewDataset(objects, await findDataset(records, caller, datasetId), query);
    },
  });
}
