import type { Caller } from '../../lib/access/caller.ts';
import type { Citation } from '../../lib/api-contract/citation.ts';
import type { Conversation } from '../../lib/conversations/schema.ts';
import { claimTurn } from '../../lib/conversations/turn/claim-turn.ts';
import { endTurn } from '../../lib/conversations/turn/end-turn.ts';
import { planTurn } from '../../lib/conversations/turn/plan-turn.ts';
import type { TimedRecords } from '../../lib/ports/timed-records.ts';
import { citationParts } from '../../lib/retrieval/cite/citation-parts.ts';

export const LOCAL: Caller = { id: 'local', role: 'admin', workspaceIds: null } as Caller;

/** Stores an answer with citations as a chat does. Its position in the conversation is 1. */
export async function keepAnswer(
  ports: TimedRecords,
  { id, workspaceId, caller = LOCAL }: { id: string; workspaceId: string; caller?: Caller },
  citations: (Pick<Citation, 'path' | 'startLine' | 'endLine' | 'quote' | 'fileHash'> & Partial<Citation>)[],
): Promise<Conversation> {
  const asked = { id, messages: [{ role: 'user' as const, text: `When, in ${id}?` }] };
  const plan = await planTurn(ports, caller, workspaceId, asked);
  const turn = await claimTurn(ports, caller.id, { workspaceId, id }, plan);
  await turn.kept;
  const cited = citations.map((each, at) => ({ ...each, index: at + 1, verified: true, stale: false }));
  const parts = [{ type: 'text', text: 'At night [1].' }, ...citationParts(cited)];
  await endTurn(ports, turn.conversation, { id: turn.id, role: 'assistant', parts }, plan.question);
  return turn.conversation;
}
