import type { Caller } from '../access/caller.ts';
import type { PersonMessage } from './schema.ts';

/** Returns the sender of the message as a caller. Everyone who may write to the bot is a member. */
export function callerOfMessage({
  platform,
  senderId,
}: Pick<PersonMessage, 'platform' | 'senderId'>): Caller {
  return { id: `${platform}:${senderId}`, role: 'member', workspaceIds: null };
}
