import type { Caller } from '../../access/caller.ts';
import { InvalidInput } from '../../errors.ts';
import { addMemory, deleteMemory, listMemories } from '../../memories/memories.ts';
import { factTextSchema, type Memory } from '../../memories/schema.ts';
import { invalidInput } from '../../validation/describe-issues.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import type { PersonMessage } from '../schema.ts';
import { findWorkspaceOfChat } from './directory.ts';

interface ChatMemory {
  caller: Caller;
  /** The chat's workspace in a group. Undefined for the sender's own facts, which a group must not see. */
  workspace: Workspace | undefined;
}

/** Lists the facts of the sender or, in a group, those of its workspace. */
export async function showFactsOfChat(ports: BotPorts, message: PersonMessage): Promise<string> {
  const { caller, workspace } = await memoryOfChat(ports, message);
  const facts = await listMemories(ports.records, caller, workspace);
  if (facts.length === 0) return 'No facts are saved. Save one with /remember text.';
  return facts.map((fact) => `**${codeOf(fact)}** ${fact.text}`).join('\n');
}

/** Saves a fact. Idempotent, because a fact with the same text isn't saved twice. */
export async function rememberInChat(
  ports: BotPorts,
  message: PersonMessage,
  words: string,
): Promise<string> {
  if (words === '')
    throw new InvalidInput('missing_value', 'Add the fact: /remember I use SI units.', { field: 'text' });
  const { data: text, error } = factTextSchema.safeParse(words);
  if (error) throw invalidInput(error, factTextSchema, words, 'text');
  const { caller, workspace } = await memoryOfChat(ports, message);
  await addMemory(ports, caller, workspace, { text, shared: true });
  return workspace === undefined
    ? `Saved: ${text}\nI use it in answers to you, except in groups. Others in the workspace can read those answers.`
    : `Saved for everyone in the workspace: ${text}`;
}

/** Deletes the fact with this code. A repetition finds no fact, and deletes nothing else. */
export async function forgetInChat(ports: BotPorts, message: PersonMessage, code: string): Promise<string> {
  const { caller, workspace } = await memoryOfChat(ports, message);
  const facts = await listMemories(ports.records, caller, workspace);
  const [fact, other] = facts.filter((each) => codeOf(each) === code.toLowerCase());
  if (fact === undefined || other !== undefined)
    return 'No fact has this code. /facts lists the facts with their codes.';
  await deleteMemory(ports, caller, fact.id);
  return `Deleted: ${fact.text}`;
}

async function memoryOfChat(ports: BotPorts, message: PersonMessage): Promise<ChatMemory> {
  const caller = callerOfMessage(message);
  if (message.chatType !== 'group') return { caller, workspace: undefined };
  return { caller, workspace: await findWorkspaceOfChat(ports, caller, await openChat(ports, message)) };
}

/** Returns the end of a fact's ID. A position in the list would name another fact after a deletion. */
function codeOf({ id }: Memory): string {
  return id.slice(-6);
}
