import { Conflict } from '../../errors.ts';
import type { StoredMessage } from '../schema.ts';

/** The state of the conversation that a client knows, and its consent to changes. */
export interface ClientView {
  /** The last message that the client shows or, if it replaces one, the message before that; null if it shows none. */
  parentId?: string | null | undefined;
  /** True if the questions after the replaced one, and their answers, may be deleted. */
  discardLater?: boolean | undefined;
}

/**
 * Refuses a message of a client that shows another end of the conversation, and one that would delete later questions
 * without consent. Consent counts only from a client that names the last message, because that client has shown the
 * questions that it deletes. `asked` is the position of the question that is replaced or answered again; undefined for
 * a new one. Throws Conflict.
 */
export function requireCurrent(
  kept: readonly StoredMessage[],
  asked: { place: number; isReplaced: boolean } | undefined,
  { parentId, discardLater = false }: ClientView,
): void {
  const leaf = kept.at(-1)?.id ?? null;
  const later = kept.filter(({ role, place }) => asked && role === 'user' && place > asked.place).length;
  const stays = kept.findLast(({ place }) => asked && place < asked.place + (asked.isReplaced ? 0 : 1));
  const isSeen = parentId === leaf;
  const isOutdated = parentId !== undefined && !isSeen && (!asked || parentId !== (stays?.id ?? null));
  if (isOutdated) throw conversationChanged(leaf, 'This conversation has changed since it was read.');
  if (later > 0 && !(isSeen && discardLater))
    throw conversationChanged(
      leaf,
      `${later === 1 ? 'A later question and its answer' : `${later} later questions and their answers`} would be deleted. To delete them, send discardLater with the last message of the conversation as parentId.`,
    );
}

/** Returns the refusal for a client that shows an earlier state. */
export function conversationChanged(leaf: string | null, reason: string): Conflict {
  return new Conflict('conversation_changed', `${reason} Look at it as it is now, then try again.`, {
    field: 'parentId',
    headers: { 'x-conversation-leaf': encodeURIComponent((leaf ?? '').toWellFormed()) },
  });
}
