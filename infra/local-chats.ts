import { LOCAL } from '../lib/access/caller.ts';
import { conversations, ownPartition } from '../lib/conversations/schema.ts';
import type { Records } from '../lib/ports/records.ts';
import { tokens } from '../lib/tokens/schema.ts';
import { workspaces } from '../lib/workspaces/schema.ts';

/**
 * Returns the number of conversations from before sign-in was enabled that no caller can open, because their owner is
 * `local` and callers with a token have other IDs. Zero if a token continues `local`.
 */
export async function countLocalChats(records: Records): Promise<number> {
  for await (const { continues, revokedAt } of tokens.all(records, { partition: 'TOKEN' }))
    if (continues === LOCAL && revokedAt === null) return 0;
  let count = 0;
  for await (const { id } of workspaces.all(records, { partition: 'WORKSPACE' })) {
    const query = { partition: ownPartition(id, LOCAL), byIndex: true };
    for await (const _ of conversations.all(records, query)) count += 1;
  }
  return count;
}

export function describeLocalChats(count: number): string {
  const subject =
    count === 1
      ? '1 conversation from the time without sign-in belongs'
      : `${count} conversations from the time without sign-in belong`;
  return `${subject} to the user \`${LOCAL}\`. To keep using them, create your token with --continue-local.`;
}
