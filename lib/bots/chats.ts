import { mkdir, realpath } from 'node:fs/promises';
import { NotConfigured } from '../errors.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import { type Chat, type ChatId, chats } from './schema.ts';

export interface ChatPorts {
  records: Records;
  clock: Clock;
  workspaceRoots: string[];
}

/** Returns the chat. A new one works in the first of WORKSPACE_ROOTS, in the mode `agent`. */
export async function openChat(ports: ChatPorts, id: ChatId): Promise<Chat> {
  const known = await chats.get(ports.records, id);
  if (known !== undefined) return known;
  await chats.create(ports.records, await newChat(ports, id));
  return openChat(ports, id);
}

async function newChat(ports: ChatPorts, id: ChatId): Promise<Chat> {
  const now = timestamp(ports.clock);
  return {
    platform: id.platform,
    chatId: id.chatId,
    workspacePath: await firstRoot(ports.workspaceRoots),
    mode: 'agent',
    conversationId: null,
    earlierId: null,
    activeRun: null,
    lastFile: null,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
}

async function firstRoot([root]: string[]): Promise<string> {
  if (root === undefined) throw new NotConfigured('bot_not_configured', 'WORKSPACE_ROOTS is not set.');
  await mkdir(root, { recursive: true });
  return realpath(root);
}

/** Changes the current state of the chat. Undefined if `next` no longer wants to change it. */
export async function changeChat(
  ports: ChatPorts,
  id: ChatId,
  next: (chat: Chat) => Partial<Chat> | undefined,
): Promise<Chat | undefined> {
  return change(chats, ports.records, id, async (chat) => {
    const begun = chat ?? (await newChat(ports, id));
    const fields = next(begun);
    return fields && { ...(chat === undefined && begun), ...fields, updatedAt: timestamp(ports.clock) };
  });
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
