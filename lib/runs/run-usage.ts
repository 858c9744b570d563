import type { Caller } from '../access/caller.ts';
import { PLATFORMS } from '../api-contract/chat-platforms.ts';
import type { Use, UseKind } from '../usage/schema.ts';

/** Returns the account to which a run's usage belongs: for a scheduled task, its last editor. */
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

/** The caller's ID shows the kind, because no signed-in user can have such an ID. */
function kindOf({ id }: Caller): UseKind {
  if (id.startsWith('task:')) return 'tasks';
  return PLATFORMS.some((platform) => id.startsWith(`${platform}:`)) ? 'bots' : 'agent';
}
