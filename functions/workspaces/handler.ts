import { dropUndo } from '../../lib/agent/undo/kept-folders.ts';
import { readConfig } from '../../lib/config.ts';
import { dropConversations } from '../../lib/conversations/change.ts';
import { dropLinks } from '../../lib/datasets/links/lists.ts';
import { dropDocuments } from '../../lib/documents/documents.ts';
import { dropProvenance } from '../../lib/documents/provenance.ts';
import { dropTables } from '../../lib/evidence/schema.ts';
import { dropClone } from '../../lib/git/schema.ts';
import { serve } from '../../lib/http/serve.ts';
import { dropIndex, filesChangedIn } from '../../lib/indexing/enqueue.ts';
import { dropMcpServers } from '../../lib/mcp-servers/servers.ts';
import { dropMemories } from '../../lib/memories/memories.ts';
import { dropNotes } from '../../lib/notes/notes.ts';
import { dropPermissions } from '../../lib/permissions/store.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { dropRuns } from '../../lib/runs/erase.ts';
import { currentJudge, currentRoots, currentWebSearch } from '../../lib/settings/with-settings.ts';
import { dropSkills } from '../../lib/skills/skills.ts';
import { dropSources } from '../../lib/sources/sources.ts';
import { dropTasks } from '../../lib/tasks/tasks.ts';
import { dropBudget } from '../../lib/usage/budgets/list.ts';
import { dropDrafts } from '../../lib/verify/draft-checks.ts';
import { findSandboxGap, findSelfApproval } from '../../lib/wiring/commands.ts';
import { openObjects } from '../../lib/wiring/objects.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { undoFolder } from '../../lib/wiring/undo.ts';
import { workspaceRoutes } from './routes.ts';

const config = readConfig();
const records = await openRecords(config);
const secrets = await openSecrets(config);
const objects = await openObjects(config);
const commitQueue = await openQueue(config, 'commit');

const ports = {
  records,
  clock: systemClock,
  drops: [
    dropNotes,
    dropConversations(objects),
    dropSkills,
    dropLinks,
    dropTasks,
    dropClone,
    dropBudget,
    dropPermissions,
    dropRuns(systemClock),
    dropMcpServers({ secrets, clock: systemClock }),
    dropDrafts,
    dropTables,
    dropDocuments,
    dropMemories,
    dropProvenance,
    dropSources({ secrets }),
    dropUndo(undoFolder(config)),
  ],
  selfApproval: () => findSelfApproval(config),
  sandboxGap: () => findSandboxGap(config),
  filesChanged: filesChangedIn({ records, queue: await openQueue(config, 'index'), clock: systemClock }),
  dropIndex: (workspaceId: string) => dropIndex(commitQueue, workspaceId),
  serviceJudge: () => currentJudge(records, config),
  webSearchProvider: async () => (await currentWebSearch(records, config))?.provider,
};
const openPorts = async () => ({ ...ports, workspaceRoots: await currentRoots(records, config) });

export const handler = serve(workspaceRoutes, openPorts, config);
