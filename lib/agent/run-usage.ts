import type { Caller } from '../access/caller.ts';
import { PLATFORMS } from '../ports/chat-platform.ts';
import type { Use, UseKind } from '../usage/schema.ts';

/** For whom a run uses what it uses: in the name of a scheduled task, for whoever saved that. */
export function runUsage({
  caller,
  rightsOf = null,
  workspaceId,
}: {
  caller: Caller;
  rightsOf?: Caller | null | undefined;
  workspaceId: string;
}): Use {
  return { callerId: (rightsOf ?? caller).id, workspaceId, kind: kindOf(caller) };
}

/** Who began it tells: no login has such an id. */
function kindOf({ id }: Caller): UseKind {
  if (id.startsWith('task:')) return 'tasks';
  return PLATFORMS.some((platform) => id.startsWith(`${platform}:`)) ? 'bots' : 'agent';
}
