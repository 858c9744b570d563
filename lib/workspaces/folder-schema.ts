import * as z from 'zod';
import { listedPath } from '../paths/path-schema.ts';

const folderSchema = z
  .strictObject({
    name: z.string().describe('Name of the folder. For a root, its path.'),
    path: z.string().describe('Absolute path of the folder, with symbolic links resolved.'),
    state: z
      .enum(['free', 'workspace', 'inside', 'around'])
      .meta({ title: 'FolderState' })
      .describe(
        'Whether the folder can become a workspace (`free`), is one (`workspace`), is inside one, or is around workspaces or folders of the service.',
      ),
    workspaceId: z.string().optional().describe('ID of the workspace that the folder is, or is inside.'),
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof folderSchema>;

export const foldersSchema = z
  .strictObject({
    folder: folderSchema.nullable().describe('Listed folder. Null for the list of roots.'),
    parent: z
      .string()
      .nullable()
      .describe('Absolute path of the parent. Null for a root, and for the list of roots.'),
    folders: z.array(folderSchema).describe('Folders in it, by name.'),
    isComplete: z
      .boolean()
      .describe('Whether all folders are listed. False if there are so many that some are missing.'),
  })
  .meta({ id: 'Folders' });
export type Folders = z.infer<typeof foldersSchema>;

export const foldersQuery = z.strictObject({ path: listedPath });
