import * as z from 'zod';
import { MAX_PATH_BYTES } from '../paths/confine.ts';

const absolutePath = z
  .string()
  .max(MAX_PATH_BYTES)
  .meta({ pattern: '^/' })
  .describe('Absolute path of an existing folder.');

export const rootSchema = z.strictObject({ path: absolutePath });

const listedRootSchema = z
  .strictObject({
    path: z.string().describe('Absolute path of the folder.'),
    source: z
      .enum(['environment', 'command', 'settings'])
      .meta({ title: 'RootSource' })
      .describe(
        'Origin of the root: `WORKSPACE_ROOTS`, the command that started the service, or the settings. Only those of the settings can be removed.',
      ),
    inForce: z
      .boolean()
      .describe(
        'Whether workspaces can be in it. False for one of the settings that was removed, or replaced by a symbolic link.',
      ),
  })
  .meta({ id: 'WorkspaceRoot' });

export const rootsSchema = z
  .strictObject({
    items: z.array(listedRootSchema).describe('Roots, in the order in which they apply.'),
    canAdd: z.boolean().describe('Whether the settings can add roots. False on AWS.'),
  })
  .meta({ id: 'WorkspaceRoots' });
export type WorkspaceRoots = z.infer<typeof rootsSchema>;
