import type { Caller } from '../access/caller.ts';
import { findOwn } from '../conversations/find.ts';
import { NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import { unsupported } from './parameters.ts';

const PREFIX = 'resp_';
const STORED = /^resp_([\da-f-]{36})_([\da-f-]{36})$/;

/** Returns the ID of a response. If the response is stored, the ID leads to its conversation. */
export function responseIdOf(conversationId: string | undefined, answerId: string): string {
  return PREFIX + (conversationId === undefined ? answerId : `${conversationId}_${answerId}`);
}

/** The conversation of a stored response. */
export interface StoredResponse {
  id: string;
  /** The last message that the client knows; null for a new conversation. */
  parentId: string | null;
}

interface Asked {
  store?: boolean | null | undefined;
  previous_response_id?: string | null | undefined;
}

/**
 * Returns the conversation that contains a response; undefined if it isn't stored. Callers can only continue
 * their own conversations. Throws NotFound, InvalidInput.
 */
export async function storedFor(
  records: Records,
  caller: Caller,
  { store, previous_response_id: previous }: Asked,
): Promise<StoredResponse | undefined> {
  if (typeof previous !== 'string') return store === true ? { id: newId(), parentId: null } : undefined;
  if (store === false)
    throw unsupported('store', "can't continue a conversation without storing the response");
  const [, id, parentId = null] = STORED.exec(previous) ?? [];
  if (id !== undefined && (await findOwn(records, caller, id)) !== undefined) return { id, parentId };
  throw new NotFound('conversation_not_found', 'previous_response_id is not a stored response of yours.', {
    field: 'previous_response_id',
  });
}
