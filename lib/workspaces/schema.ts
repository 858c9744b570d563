import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { indexStateSchema } from '../indexing/schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../ports/collection.ts';

export const workspaceSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    rootPath: z.string().describe('absolute, links resolved'),
    createdAt: timestampSchema,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof workspaceSchema>;

export const workspaceDetailSchema = workspaceSchema
  .extend({ index: indexStateSchema, noteCount: z.number().int() })
  .meta({ id: 'WorkspaceDetail' });

export const createWorkspaceSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe('inside WORKSPACE_ROOTS; a relative one under the first of them'),
  name: z.string().min(1).max(200).optional().describe('default: the last part of the path'),
});

export const workspaceParams = z.object({ workspaceId: idSchema });

/** Listed newest first: ids are UUIDv7. */
export const workspaces = collection({
  schema: workspaceSchema,
  key: ({ id }: { id: string }) => ({ partition: 'WORKSPACE', sort: id }),
});

/** Who holds a directory: makes two workspaces of one place impossible without a transaction over two records. */
export const rootClaims = collection({
  schema: z.object({ hash: z.string(), rootPath: z.string(), workspace: workspaceSchema }),
  key: ({ hash }: { hash: string }) => ({ partition: 'WORKSPACE_ROOT', sort: hash }),
  index: ({ rootPath }) => ({ partition: 'WORKSPACE_ROOT', sort: indexablePath(rootPath) }),
});

/** A sort key has at most 1024 bytes; longer paths are told apart by their claims' own keys. */
export function indexablePath(rootPath: string): string {
  return Buffer.from(`${rootPath}/`)
    .subarray(0, 1000)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}
