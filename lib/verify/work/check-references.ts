import { checkEntry, openCatalogs } from '../../bibliography/check-entry.ts';
import { toEntry } from '../../bibliography/entry.ts';
import type { CheckedEntry } from '../../bibliography/schema.ts';
import { readLibrary } from '../../bibliography/workspace-library.ts';
import { workOnAll } from '../../runs/steps/work-on-all.ts';
import type { DraftReference } from '../draft/draft.ts';
import { MAX_REFERENCES } from '../draft/draft-references.ts';
import { REFERENCE, requireRequest, type StoredReference } from '../find-check.ts';
import type { CheckedReference } from '../request-schema.ts';
import type { Check } from './check.ts';

/** Two, because most catalogs answer one request at a time. */
const ENTRIES_AT_ONCE = 2;

/** An entry to look up. A key without an entry has only its label. */
type Wanted = DraftReference | Pick<DraftReference, 'label' | 'text' | 'citedBy'>;

/** Returns the number of entries to look up; 0 if the request didn't ask for it. */
export function countEntries({ request, draft }: Pick<Check, 'request' | 'draft'>): number {
  const { references = [], cited = [] } = draft;
  return request.references ? Math.min(references.length + cited.length, MAX_REFERENCES) : 0;
}

/**
 * Looks up the entries of the draft's reference list, and those of the workspaces' bibliographies that it cites by their
 * keys. Stores each, so that none is looked up twice.
 */
export async function checkReferences(check: Check, checked: () => void): Promise<void> {
  if (countEntries(check) === 0) return;
  const catalogs = openCatalogs(check.ports.papers);
  const wanted = [...(check.draft.references ?? []), ...(await entriesOfKeys(check))].slice(
    0,
    MAX_REFERENCES,
  );
  await workOnAll(wanted, ENTRIES_AT_ONCE, async (entry, at) => {
    await check.steps.once(REFERENCE, at, async (): Promise<StoredReference> => {
      check.requireMayGoOn();
      await check.share();
      const found = 'names' in entry ? await checkEntry(catalogs, entry, check.signal) : noEntry();
      await requireRequest(check.ports.records, check.run);
      return { at, checked: { ...shownOf(entry), ...found } };
    });
    checked();
  });
}

function noEntry(): CheckedEntry {
  return { state: 'not_checked', reason: 'no_entry', unavailable: [], differences: [] };
}

async function entriesOfKeys({ draft, workspaces, ports }: Check): Promise<Wanted[]> {
  const { cited = [] } = draft;
  if (cited.length === 0) return [];
  const libraries = await Promise.all(workspaces.map((workspace) => readLibrary(ports.records, workspace)));
  const byKey = new Map(libraries.flat().map((reference) => [reference.key, reference]));
  return cited.map(({ key, citedBy }) => {
    const reference = byKey.get(key);
    const entry = reference === undefined ? { text: `@${key}` } : toEntry(reference);
    return { ...entry, label: key, citedBy };
  });
}

function shownOf({ text: entry, label, citedBy, ...others }: Wanted) {
  const { start, end } = 'start' in others ? others : {};
  const place = start === undefined || end === undefined ? {} : { start, end };
  return {
    entry,
    ...(label !== undefined && { label }),
    ...place,
    citedBy,
  } satisfies Partial<CheckedReference>;
}
