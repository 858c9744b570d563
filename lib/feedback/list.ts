import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import type { Citation } from '../api-contract/citation.ts';
import { textOf, toMessage } from '../conversations/messages.ts';
import { type Conversation, conversations, type Message, messages } from '../conversations/schema.ts';
import { withNames } from '../people/names.ts';
import type { Records } from '../ports/records.ts';
import { pageUpTo } from '../records/page.ts';
import { beginning } from '../text/cut-text.ts';
import { describeOwn } from './feedback.ts';
import {
  FEEDBACK,
  type FeedbackQuery,
  feedback,
  type RatedAnswer,
  type RatedPassage,
  type ShownFeedback,
  type StoredFeedback,
} from './schema.ts';

const MAX_TEXT = 8000;
const MAX_PASSAGES = 50;
const READ_AT_ONCE = 50;

/** Returns a page of everyone's feedback, newest first. Throws Forbidden, and InvalidInput for an invalid cursor. */
export async function listFeedback(
  records: Records,
  caller: Caller,
  query: FeedbackQuery,
): Promise<{ items: ShownFeedback[]; cursor?: string }> {
  requireAdminOfAll(caller);
  const isWanted = ({ rating }: ShownFeedback) => (query.rating ?? rating) === rating;
  const page = await pageUpTo((cursor) => shownFrom(records, cursor), query, isWanted);
  return { ...page, items: await withNames(records, page.items, 'personName', ({ personId }) => personId) };
}

async function* shownFrom(records: Records, cursor: string | undefined): AsyncGenerator<ShownFeedback> {
  const from = { partition: FEEDBACK, byIndex: true, ...(cursor !== undefined && { to: cursor }) };
  const query = { ...from, order: 'descending' as const, limit: READ_AT_ONCE };
  for await (const given of feedback.all(records, query)) {
    const shown = await show(records, given);
    if (shown !== undefined) yield shown;
  }
}

/**
 * Returns undefined for feedback that a process left when it died while the conversation was deleted, and removes it. A
 * later conversation may have the same key, with another answer in this place.
 */
async function show(records: Records, given: StoredFeedback): Promise<ShownFeedback | undefined> {
  const found = await conversations.get(records, given);
  const stored = found && (await messages.get(records, given));
  if (found === undefined || (stored !== undefined && stored.id !== given.messageId)) {
    await feedback.delete(records, given);
    return undefined;
  }
  const answer = stored && toMessage(stored);
  const { id: conversationId, workspaceId, kind } = found;
  const { id, personId } = given;
  const model = typeof answer?.metadata?.model === 'string' ? answer.metadata.model : null;
  const isShared = answer !== undefined && maySee(found, personId);
  const shared = isShared ? await rated(records, found, answer, stored?.parent ?? given.place - 1) : null;
  return { id, ...describeOwn(given), personId, conversationId, workspaceId, kind, model, shared };
}

/**
 * A private conversation is closed to administrators. Its owner opens one answer to them with their feedback, as the
 * dialog says. Other people can't.
 */
function maySee({ ownerId, shared, kind }: Conversation, personId: string): boolean {
  return shared || kind === 'bot' || ownerId === personId;
}

async function rated(
  records: Records,
  { key, workspaceId }: Conversation,
  answer: Message,
  place: number,
): Promise<RatedAnswer> {
  const asked = await messages.get(records, { key, place });
  return {
    question: asked?.role === 'user' ? beginning(textOf(toMessage(asked)), MAX_TEXT) : '',
    answer: beginning(textOf(answer), MAX_TEXT),
    passages: answer.parts.flatMap((part) => passagesIn(part, workspaceId)).slice(0, MAX_PASSAGES),
  };
}

type Cited = Pick<Citation, 'workspaceId' | 'path' | 'startLine' | 'endLine' | 'quote' | 'title' | 'support'>;

/** Returns the passages of a part: of a citation, or of the evidence of a report. */
function passagesIn({ type, data }: Message['parts'][number], workspaceId: string): RatedPassage[] {
  if (type === 'data-citation') return [passageOf(data as Cited, workspaceId)];
  if (type !== 'data-evidence') return [];
  return (data as { evidence: Cited[] }).evidence.map((each) =>
    passageOf({ ...each, support: undefined, title: undefined }, workspaceId),
  );
}

function passageOf(
  { workspaceId, path, startLine, endLine, quote, title, support }: Cited,
  own: string,
): RatedPassage {
  const known = { ...(title !== undefined && { title }), ...(support !== undefined && { support }) };
  return { workspaceId: workspaceId ?? own, path, startLine, endLine, quote, ...known };
}
