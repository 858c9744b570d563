import type { Caller } from '../../access/caller.ts';
import { requireOwn } from '../../conversations/find.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { startBudget } from './budget.ts';
import { hasQuote, readDocument } from './document.ts';
import { findQuoted } from './identify.ts';
import { describeDocument, mayRead, toCitation } from './list.ts';
import { relocate } from './relocate.ts';
import type { Repaired } from './schema.ts';
import { type SuggestPorts, suggestPlaces } from './suggest.ts';

export const REPAIR_ERRORS = [
  'broken_citation_not_found',
  'changed_since_read',
  'owner_only',
  'repair_not_found',
  'role_required',
] as const satisfies ErrorCode[];

/**
 * Updates a broken citation to the place where the same quote is now. Looks for the quote again, because the
 * place may have changed since it was suggested. Throws NotFound, Forbidden for another person's answer,
 * Conflict.
 */
export async function repairCitation(
  ports: SuggestPorts,
  caller: Caller,
  workspace: Workspace,
  id: string,
): Promise<Repaired> {
  const { records } = ports;
  const found = await findQuoted(records, workspace.id, id);
  const document = found?.quote.broken ? await readDocument(records, found.quoted) : undefined;
  if (found === undefined || document === undefined) throw notBroken();
  if (!(await mayRead(records, caller, document))) throw notBroken();
  const { quoted, quote } = found;
  if (!hasQuote(document, quoted.path, quote)) throw notBroken();
  if (document.kind === 'answer') requireOwn(caller, document.conversation);
  const places = await suggestPlaces(ports, workspace, quoted, quote, startBudget(workspace.id));
  if (places === undefined)
    throw new Conflict(
      'repair_not_found',
      'The quote is nowhere else in the workspace. Remove the citation, or ask again.',
    );
  if (!(await relocate(records, quoted, places, { isSameFile: false })))
    throw new Conflict('changed_since_read', 'The document was changed at the same time. Try again.');
  const [{ path, place }] = places;
  return { document: describeDocument(document, quoted), citation: toCitation(path, { ...quote, ...place }) };
}

function notBroken(): NotFound {
  return new NotFound('broken_citation_not_found', 'This citation does not exist, or it holds again.');
}
