import { dropLinks } from '../datasets/drop-links.ts';
import { dropIndex } from '../indexing/enqueue.ts';
import { dropNotes } from '../notes/drop.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import { dropSkills } from '../skills/drop.ts';
import { dropTasks } from '../tasks/drop.ts';
import type { WorkspacePorts } from '../workspaces/registry.ts';

/** What goes with a workspace. An area that keeps records of one has its line here. */
export function workspaceDrops(
  records: Records,
  commitQueue: Queue,
): Pick<WorkspacePorts, 'drops' | 'dropIndex'> {
  const drops = [dropNotes, dropSkills, dropLinks, dropTasks];
  return {
    drops: drops.map((drop) => (workspaceId) => drop(records, workspaceId)),
    dropIndex: (workspaceId) => dropIndex(commitQueue, workspaceId),
  };
}
