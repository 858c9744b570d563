import * as z from 'zod';
import { idSchema } from '../identifiers.ts';

/** The maximum number of workspaces of a question, and of a conversation. */
export const MAX_WORKSPACES = 20;
const AT_MOST = `From 1 to ${MAX_WORKSPACES}. You must be able to read all of them.`;

/** The workspaces of a question in a body. */
export const workspaceIdsSchema = z
  .array(idSchema)
  .min(1)
  .max(MAX_WORKSPACES)
  .describe(`IDs of the workspaces to search in. ${AT_MOST}`);

interface Named {
  workspaceId?: string | undefined;
  workspaceIds?: string[] | undefined;
}

/** The rule for a body with either `workspaceId` or `workspaceIds`, as the arguments of `refine`. */
export const ONE_OR_SEVERAL: [(named: Named) => boolean, { path: string[]; message: string }] = [
  ({ workspaceId, workspaceIds }) => (workspaceId === undefined) !== (workspaceIds === undefined),
  { path: ['workspaceId'], message: 'must be given, or workspaceIds, but not both' },
];

/** The same in a query. */
export const workspaceIdsQuery = z
  .string()
  .max(2000)
  .transform((text) => text.split(','))
  .pipe(workspaceIdsSchema)
  .describe(`IDs of the workspaces to search in, separated by commas, or as repeated parameters. ${AT_MOST}`);
