import { recordActivity, SERVICE } from '../../activity/record.ts';
import { derivedId } from '../../identifiers.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { pluralize } from '../../text/pluralize.ts';
import { announceEvents, type WebhookEvent } from '../../webhooks/announce.ts';
import { rewriteQuotes } from '../records/keep-quotes.ts';
import type { QuotedFile } from '../records/schema.ts';
import { idOf } from './identify.ts';

interface Broken {
  workspaceId: string;
  path: string;
  /** The documents whose owners haven't been notified. */
  broken: QuotedFile[];
}

/**
 * Notifies the owners that citations of a file are no longer valid, once per result, and webhooks with the event
 * `citation.broken`, once per citation. The text names the file but no document, because all users of the workspace can read it,
 * whereas conversations are private. After an interruption, the notification is repeated, but the activity and each
 * event are recorded once. Throws if the events weren't stored, so that the queue repeats the check.
 */
export async function notifyBroken(
  ports: TimedRecords,
  { workspaceId, path, broken }: Broken,
): Promise<void> {
  const untold = broken.flatMap(({ quotes }) => quotes.filter((quote) => quote.broken?.told === false));
  const since = untold[0]?.broken?.since;
  if (since === undefined) return;
  const reasons = [...new Set(untold.flatMap((quote) => quote.broken?.reason ?? []))];
  await recordActivity(ports, {
    ...{ id: derivedId(Date.parse(since), `citation.broken ${workspaceId} ${path}`), workspaceId },
    ...{ kind: 'citations_broken', actor: SERVICE },
    summary: `${pluralize(untold.length, 'citation')} of ${path} no longer hold${untold.length === 1 ? 's' : ''}`,
    details: {
      ...{ event: 'citation.broken', path, reason: reasons.join(', '), citations: untold.length },
      documents: countDocuments(broken),
    },
  });
  if (!(await announceEvents(ports, broken.flatMap(eventsOf))))
    throw new Error('webhooks were not told of broken citations');
  for (const quoted of broken) await markTold(ports, quoted);
}

/** Returns an event per broken citation. It names no document, either. */
function eventsOf(quoted: QuotedFile): WebhookEvent[] {
  const { workspaceId, path: file, document, quotes } = quoted;
  return quotes.flatMap((quote): WebhookEvent[] => {
    const { broken } = quote;
    if (broken === null || broken.told) return [];
    const { reason, since } = broken;
    const name = `${workspaceId} ${idOf(quoted, quote)} ${since}`;
    const data = { workspaceId, file, reason, document: document.kind, path: `/w/${workspaceId}/broken` };
    return [{ type: 'citation.broken', name, at: Date.parse(since), data }];
  });
}

/** A quote whose citation now names another file. */
export interface FollowedQuote {
  quoted: QuotedFile;
  to: string;
}

/** Records that citations in documents were updated automatically. Names no document, for the same reason. */
export async function recordMoved(
  ports: TimedRecords,
  { workspaceId, path, moved }: { workspaceId: string; path: string; moved: FollowedQuote[] },
): Promise<void> {
  for (const [to, some] of Map.groupBy(moved, (each) => each.to)) {
    await recordActivity(ports, {
      ...{ workspaceId, kind: 'citations_moved', actor: SERVICE },
      summary: `${pluralize(some.length, 'citation')} of ${path} moved to ${to}`,
      details: {
        ...{ event: 'citation.moved', path, to, citations: some.length },
        documents: countDocuments(some.map(({ quoted }) => quoted)),
      },
    });
  }
}

function countDocuments(quoted: QuotedFile[]): number {
  return new Set(quoted.map(({ document }) => `${document.kind} ${document.key}`)).size;
}

function markTold({ records }: TimedRecords, quoted: QuotedFile): Promise<void> {
  return rewriteQuotes(records, quoted, (quotes) =>
    quotes.map((quote) => ({ ...quote, broken: quote.broken && { ...quote.broken, told: true } })),
  );
}
