import type { Caller } from '../access/caller.ts';
import type { PersonMessage } from './schema.ts';

/** Who wrote the message, to the rest of the service: whoever may write to the bot is a member. */
export function callerOfMessage({
  platform,
  senderId,
}: Pick<PersonMessage, 'platform' | 'senderId'>): Caller {
  return { id: `${platform}:${senderId}`, role: 'member', workspaceIds: null };
}
