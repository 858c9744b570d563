import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../ports/collection.ts';

export const workspaceSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    rootPath: z.string(),
    createdAt: timestampSchema,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof workspaceSchema>;

export const createWorkspaceSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  name: z.string().min(1).max(200).optional(),
});

export const workspaceParams = z.object({ workspaceId: idSchema });

/** Listed newest first: ids are UUIDv7. */
export const workspaces = collection({
  schema: workspaceSchema,
  key: ({ id }: { id: string }) => ({ partition: 'WORKSPACE', sort: id }),
});
