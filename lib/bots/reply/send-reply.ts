import { createHash } from 'node:crypto';
import type { Platform } from '../../api-contract/chat-platforms.ts';
import { NotConfigured } from '../../errors.ts';
import { log } from '../../log.ts';
import type { BotContent, ChatFile, ChatPlatform, ChatPlatforms } from '../../ports/chat-platform.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { findMark, setMark } from '../inbox/marks.ts';
import type { ChatId } from '../schema.ts';

export interface DeliverPorts extends TimedRecords {
  platforms: ChatPlatforms;
}

export interface ChatReply {
  /** The reply's name, unique per platform, so that each is sent once. */
  name: string;
  /** The person's message that it answers. */
  replyTo?: string;
}

/**
 * Shows the reply in the chat once. If the process dies between sending and marking, the platform recognizes
 * the repetition by the key. Returns the message's ID if the message can be changed.
 */
export async function sendOnce(
  ports: DeliverPorts,
  { platform, chatId }: ChatId,
  content: BotContent,
  { name, replyTo }: ChatReply,
): Promise<string | undefined> {
  return once(ports, platform, name, (port, key) =>
    port.send(chatId, content, { key, ...(replyTo && { replyTo }) }),
  );
}

/** Sends a file into the chat once, like sendOnce. */
export async function sendFileOnce(
  ports: DeliverPorts,
  { platform, chatId }: ChatId,
  file: ChatFile,
  name: string,
): Promise<void> {
  await once(ports, platform, name, async (port, key) => {
    await port.sendFile(chatId, file, { key });
    return undefined;
  });
}

async function once(
  ports: DeliverPorts,
  platform: Platform,
  name: string,
  send: (port: ChatPlatform, key: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const key = createHash('sha256').update(`${platform} ${name}`).digest('hex').slice(0, 40);
  const mark = { platform, kind: 'sent' as const, id: key };
  const sent = await findMark(ports, mark);
  if (sent !== undefined) return sent.sentAs ?? undefined;
  const sentAs = await send(findPlatform(ports, platform), key);
  await setMark(ports, mark, sentAs ?? null);
  return sentAs;
}

/**
 * Finds the platform. Throws NotConfigured, after which the message may be retried, because the settings may
 * appear later.
 */
export function findPlatform({ platforms }: Pick<DeliverPorts, 'platforms'>, name: Platform): ChatPlatform {
  const platform = platforms[name];
  if (platform === undefined) throw new NotConfigured('bot_not_configured', 'This bot is no longer enabled.');
  return platform;
}

/** Shows the reply in the progress card, or as a new message if the card can't be changed. */
export async function replaceCard(
  ports: DeliverPorts,
  chat: ChatId,
  content: BotContent,
  { cardId, ...delivery }: ChatReply & { cardId: string | null },
): Promise<void> {
  const platform = ports.platforms[chat.platform];
  if (cardId !== null && platform?.change !== undefined) {
    try {
      await platform.change(cardId, content);
      return;
    } catch (error) {
      log.warn('a card could not be changed: another message goes out', { reason: String(error) });
    }
  }
  await sendOnce(ports, chat, content, delivery);
}
