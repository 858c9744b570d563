import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Config } from '../../config.ts';
import { NotConfigured, Unauthorized } from '../../errors.ts';
import type { BotContent, ChatPlatform } from '../../ports/chat-platform.ts';
import { constantTimeEqual } from '../../secrets/constant-time-equal.ts';
import { required, requireFeishuApp } from '../settings.ts';

export const pushBody = z.strictObject({
  chatId: z.string().min(1).max(120).describe('ID of a chat or group. Send `/status` in the chat to see it.'),
  title: z.string().min(1).max(200).default('Agent Message').describe('Title of a card.'),
  content: z.string().min(1).max(100_000).describe('Text of the message, as Markdown.'),
  type: z
    .enum(['card', 'text'])
    .default('card')
    .describe('Form of the message: a card with a title, or plain text.'),
});
type Push = z.output<typeof pushBody>;

export const pushedSchema = z.strictObject({
  ok: z.literal(true).describe('Always true.'),
  messageId: z.string().optional().describe('ID of the message, for a card.'),
});

/** Checks the sender of a push before its contents. Throws NotConfigured and Unauthorized. */
export function admitPush(authorization: string | undefined, bots: Config['bots']): void {
  const secret = required(bots.feishu.pushSecret, 'IMA_PUSH_SECRET');
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (!constantTimeEqual(secret, given)) throw new Unauthorized('invalid_credential');
  requireFeishuApp(bots);
}

/**
 * Shows the text in the chat once per caller's key, even if the first response was lost within the last hour.
 * Throws the errors that the platform's port lists, and NotConfigured without a platform.
 */
export async function push(
  platform: ChatPlatform | undefined,
  pushed: Push,
  callersKey?: string,
): Promise<z.input<typeof pushedSchema>> {
  if (platform === undefined)
    throw new NotConfigured('bot_not_configured', 'The Feishu bot is not configured.');
  const { chatId, title, content: text, type } = pushed;
  const content: BotContent = type === 'text' ? { kind: 'text', text } : { kind: 'notice', title, text };
  const messageId = await platform.send(chatId, content, { key: platformKey(pushed, callersKey) });
  return type === 'text' ? { ok: true } : { ok: true, messageId };
}

/** Includes the pushed content, because after a failure, the caller may use the key for another push. */
function platformKey(pushed: Push, callersKey?: string): string {
  if (callersKey === undefined) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([callersKey, pushed]))
    .digest('hex')
    .slice(0, 40);
}
