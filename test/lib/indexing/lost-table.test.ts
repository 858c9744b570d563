import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeLostTables } from '../../contract/lost-tables.contract.ts';
import { startPipeline } from '../../support/pipeline.ts';

const pipeline = await startPipeline();
const folderOf = (workspaceId: string) => join(pipeline.dataDir, 'vectors', workspaceId);

describeLostTables('a folder', async () => ({
  pipeline,
  lose: (workspaceId) => rm(folderOf(workspaceId), { recursive: true, force: true }),
}));

describeLostTables('a folder whose versions are missing', async () => ({
  pipeline,
  lose: (workspaceId) =>
    rm(join(folderOf(workspaceId), `${pipeline.syncPorts().space}.lance`, '_versions'), {
      recursive: true,
      force: true,
    }),
}));
