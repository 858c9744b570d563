import type { Caller } from '../access/caller.ts';
import { announceAnswers, settleAnswers } from '../conversations/answer-quotes.ts';
import { toStored, withCount } from '../conversations/messages.ts';
import { type Message, messages, shares } from '../conversations/schema.ts';
import { saveSearchTerms } from '../conversations/search-terms.ts';
import { createConversation, newConversation } from '../conversations/turn/claim-turn.ts';
import { titleOf } from '../conversations/turn/plan-turn.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { citationParts } from '../retrieval/cite/citation-parts.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { BuiltExample } from './built.ts';

/** Returns the same ID for all callers, so that there is one example conversation. */
export function conversationIdOf({ id }: Workspace): string {
  return `example-${id}`;
}

/** Stores the conversation with the messages of a typical answer, unless it exists. */
export async function keepExampleChat(
  ports: TimedRecords,
  caller: Caller,
  workspace: Workspace,
  { turns }: BuiltExample,
): Promise<void> {
  const id = conversationIdOf(workspace);
  const said = turns.flatMap((turn, at) => messagesOf(turn, `${id}-${at + 1}`));
  await keepShared(ports, caller, { workspace, id, kind: 'chat', runId: null }, said);
}

function messagesOf({ question, answer, citations }: BuiltExample['turns'][number], id: string): Message[] {
  const said = [{ type: 'text', text: answer, state: 'done' }, ...citationParts(citations)];
  return [
    { id: `${id}-q`, role: 'user', parts: [{ type: 'text', text: question }] },
    { id: `${id}-a`, role: 'assistant', parts: said },
  ];
}

interface Kept {
  workspace: Workspace;
  id: string;
  kind: 'chat' | 'research';
  runId: string | null;
}

/**
 * Stores a conversation that all users of the workspace can read. The first caller owns it. The share comes
 * last, so that the same caller can repeat an interrupted call, and no other caller creates a second
 * conversation.
 */
export async function keepShared(
  ports: TimedRecords,
  caller: Caller,
  { workspace, id, kind, runId }: Kept,
  said: Message[],
): Promise<void> {
  const { records } = ports;
  if ((await shares.get(records, { id })) !== undefined) return;
  const begun = newConversation(ports, { ownerId: caller.id, workspaceId: workspace.id, id });
  const [first] = said;
  const conversation = {
    ...begun,
    ...withCount(said.length === 0 ? [] : [[0, said.length - 1]]),
    ...{ kind, runId, shared: true, nextPlace: said.length },
    title: titleOf(String(first?.parts[0]?.text ?? '')),
  };
  const { key, createdAt } = conversation;
  const stored = said.map((message, place) =>
    toStored(message, { key, place, parent: place === 0 ? null : place - 1, createdAt }),
  );
  const announced = await announceAnswers(ports, conversation, stored);
  await messages.putMany(records, stored);
  await saveSearchTerms(records, conversation, said);
  await createConversation(ports, conversation);
  await settleAnswers(ports, announced);
  await shares.create(records, { workspaceId: workspace.id, id, key });
}
