import { runUsage } from '../../agent/run-usage.ts';
import type { Support } from '../../api-contract/citation.ts';
import { checkClaim } from '../../claims/check-claim.ts';
import type { ScoredPassage, SearchScope } from '../../ports/vectors.ts';
import { citeAll } from '../../retrieval/cite/cite.ts';
import { readQuotable } from '../../retrieval/cite/sources.ts';
import { searchPassages } from '../../retrieval/search.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { DraftCitation } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import type { Check } from './check.ts';
import { isSimilar } from './check-by-code.ts';
import { claimText, nameColumns, refersBack } from './claim-text.ts';
import { coverageOf } from './coverage.ts';
import { isRepeated, isRepeatedRow } from './repeated.ts';

/** Passages that are compared per claim: of one workspace, and of each of several. */
const PASSAGES = { one: 8, several: 4 };

/** Searches the workspaces for what a sentence of the draft claims, and in the source that it names. */
export async function findEvidence(check: Check, at: number): Promise<ClaimEvidence> {
  const { sentences } = check.draft;
  const { text = '', isRow = false, columns = '' } = sentences[at] ?? {};
  const claim = claimText(text);
  const before = at > 0 && !isRow && refersBack(claim) ? claimText(sentences[at - 1]?.text ?? '') : '';
  const find = (workspace: Workspace, scope?: SearchScope) =>
    candidatesIn(check, workspace, { claim, before, isRow, columns, scope });
  const found: Candidate[] = [];
  for (const workspace of check.workspaces) found.push(...(await find(workspace)));
  const search = (workspace: Workspace, words: string) => searchIn(check, workspace, words);
  const named = await check.sources.find({ workspaces: check.workspaces, search }, text, find);
  const { others, versions } = await withoutVersions(check, claim, found);
  const candidates = ranked([...others, ...(named?.candidates ?? [])]);
  const asked = isRow ? nameColumns(claim, columns) : undefined;
  return { claim, before, asked, candidates, named, unlisted: check.sources.unlistedIn(text), versions };
}

/** Leaves out what is similar only in another version of the draft. */
async function withoutVersions(check: Check, claim: string, found: Candidate[]) {
  const others: Candidate[] = [];
  const versions = new Set<string>();
  for (const candidate of found) {
    if (isSimilar(claim, candidate) && (await isOfVersion(check, candidate)))
      versions.add(candidate.citation.path);
    else others.push(candidate);
  }
  return { others, versions: [...versions] };
}

async function isOfVersion(
  { versions, workspaces, ports }: Check,
  { citation: { workspaceId, path } }: Candidate,
): Promise<boolean> {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined) return false;
  return versions.isVersion(workspaceId, path, async () => {
    return (await readQuotable(ports, workspace, path))?.text;
  });
}

/** Without the draft itself, which the workspace may contain, and what the request leaves out. */
async function searchIn(
  { ports, run, request }: Check,
  { id }: Workspace,
  query: string,
  scope?: SearchScope,
): Promise<ScoredPassage[]> {
  const { passages } = await searchPassages(ports.searchFor(runUsage(run)), id, query, { scope });
  const isDraft = ({ path, fileHash }: ScoredPassage) =>
    fileHash === request.hash ||
    (id === run.workspaceId && path === request.path) ||
    (request.without ?? []).some((left) => path === left || path.startsWith(`${left}/`));
  return passages.filter((passage) => !isDraft(passage));
}

interface Wanted {
  claim: string;
  /** The sentence before, if the claim refers to it. */
  before: string;
  isRow: boolean;
  /** The names of the columns, if the claim is a row of a table that has them. */
  columns: string;
  scope: SearchScope | undefined;
}

async function candidatesIn(check: Check, workspace: Workspace, wanted: Wanted): Promise<Candidate[]> {
  const { claim, before, columns } = wanted;
  const passages = await searchIn(check, workspace, `${before} ${columns} ${claim}`.trim(), wanted.scope);
  const most = check.workspaces.length === 1 ? PASSAGES.one : PASSAGES.several;
  const cited = passages.slice(0, most).map((passage, at) => ({ index: at + 1, passage, claim, columns }));
  const citations = await citeAll(check.ports, workspace, cited);
  return citations
    .filter(({ quote }) => quote !== '')
    .map((citation) =>
      toCandidate(wanted, { ...citation, workspaceId: workspace.id }, passages[citation.index - 1]),
    );
}

/** How much of the sentence before is around a quote that is about the same. */
const ABOUT = 0.5;
const AROUND = 300;

function toCandidate(
  wanted: Wanted,
  citation: DraftCitation,
  { text, context }: Pick<ScoredPassage, 'text' | 'context'> = { text: '', context: '' },
): Candidate {
  const { claim, before, isRow, columns } = wanted;
  const { support, reason } = isCompared(citation) ? citation : checkClaim(claim, [citation.quote]);
  const place = { quote: citation.quote, text, context };
  const isSame = !citation.stale && (isRow ? isRepeatedRow(claim, columns, place) : isRepeated(claim, place));
  const at = Math.max(0, text.indexOf(citation.quote));
  const preceding = `${context} ${text.slice(Math.max(0, at - AROUND), at)}`;
  const isAbout = coverageOf(before, `${preceding} ${citation.quote}`) >= ABOUT;
  // A quote may have all of a row, and name its columns in other words.
  const ofRow = isRow && support === 'unjudged' ? coverageOf(claim, citation.quote) : 0;
  const coverage = Math.max(coverageOf(`${columns} ${claim}`, citation.quote), ofRow);
  const shown = before === '' ? '' : preceding;
  return { citation, coverage, isSame, isAbout, before: shown, support, reason };
}

/** Whether its support is that of its quote, also with the header of a table; words in quotation marks are compared elsewhere. */
function isCompared(citation: DraftCitation): citation is DraftCitation & { support: Support } {
  return citation.support !== undefined && !citation.checks?.some(({ kind }) => kind === 'quote');
}

/** Each quote once, those that cover more first. Of equal ones, those with all facts, then those of the current file. */
function ranked(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  const different = candidates.filter(({ citation: { workspaceId, path, quote } }) => {
    const key = JSON.stringify([workspaceId, path, quote]);
    return !seen.has(key) && seen.add(key);
  });
  const lacks = ({ support }: Candidate) => (support === 'unjudged' ? 0 : 1);
  return different.toSorted((one, other) => other.coverage - one.coverage || lacks(one) - lacks(other));
}
