import * as z from 'zod';
import { parseBoundedJson } from '../../validation/bounded-json.ts';
import type { MessageContent } from '../schema.ts';
import { mentionSchema, readPost, stripMentions } from './text.ts';

const MAX_NAME = 255;

/** The part of a message that callbacks and the API share. */
export const platformMessageSchema = z.looseObject({
  message_type: z.string(),
  content: z.string(),
  mentions: z.array(mentionSchema).nullish(),
});
type PlatformMessage = z.infer<typeof platformMessageSchema>;

/**
 * Returns the content of a message; undefined for messages without content: a mention of the bot alone, a malformed
 * text, and Feishu's own messages (a person joined, the group was renamed).
 */
export function readContent({
  message_type: type,
  content,
  mentions,
}: PlatformMessage): MessageContent | undefined {
  if (type === 'system') return undefined;
  const parts = parseContent(content);
  if (parts === undefined) return type === 'text' ? undefined : otherOf(type);
  const text = type === 'text' ? parts.text : readPost(parts);
  if (typeof text !== 'string' || (text === '' && type !== 'text')) return readAttachment(type, parts);
  const stripped = stripMentions(text, mentions ?? []);
  return stripped === '' ? undefined : { type: 'text', text: stripped };
}

function readAttachment(type: string, parts: Record<string, unknown>): MessageContent {
  const { file_key: key, file_name: name, duration } = parts;
  if (typeof key === 'string' && type === 'file') {
    return { type: 'file', key, name: String(name ?? 'file').slice(0, MAX_NAME) };
  }
  if (typeof key === 'string' && type === 'audio') {
    return { type: 'audio', key, durationMs: Number.isSafeInteger(duration) ? Number(duration) : null };
  }
  return otherOf(type);
}

function otherOf(type: string): MessageContent {
  return { type: 'other', name: type === 'media' ? 'video' : type.slice(0, 40) };
}

export function parseContent(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBoundedJson(text, 'content');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
