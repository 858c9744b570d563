import { mkdir, realpath } from 'node:fs/promises';
import { Conflict, NotConfigured } from '../errors.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { type Chat, type ChatId, chats } from './schema.ts';

export interface ChatPorts {
  records: Records;
  clock: Clock;
  workspaceRoots: string[];
}

const MAX_TRIES = 20;

/** The chat; a new one works in the first of WORKSPACE_ROOTS, in the mode `agent`. */
export async function openChat(ports: ChatPorts, id: ChatId): Promise<Chat> {
  const known = await chats.get(ports.records, id);
  if (known !== undefined) return known;
  const now = timestamp(ports.clock);
  await chats.create(ports.records, {
    platform: id.platform,
    chatId: id.chatId,
    workspacePath: await firstRoot(ports.workspaceRoots),
    mode: 'agent',
    conversationId: null,
    earlierId: null,
    history: [],
    activeRun: null,
    version: 0,
    createdAt: now,
    updatedAt: now,
  });
  return openChat(ports, id);
}

async function firstRoot([root]: string[]): Promise<string> {
  if (root === undefined) throw new NotConfigured('bot_not_configured', 'WORKSPACE_ROOTS is not set.');
  await mkdir(root, { recursive: true });
  return realpath(root);
}

/** Changes the chat as it is at that moment; undefined if `change` no longer wants a change. */
export async function changeChat(
  ports: ChatPorts,
  id: ChatId,
  change: (chat: Chat) => Partial<Chat> | undefined,
): Promise<Chat | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const chat = await openChat(ports, id);
    const fields = change(chat);
    if (fields === undefined) return undefined;
    const changed = { ...chat, ...fields, version: chat.version + 1, updatedAt: timestamp(ports.clock) };
    if (await chats.put(ports.records, changed, { version: chat.version })) return changed;
  }
  throw new Conflict('concurrent_changes', 'The chat was updated at the same time. Try again.');
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
