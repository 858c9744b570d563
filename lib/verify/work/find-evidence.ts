import type { Citation } from '../../api-contract/citation.ts';
import type { Support } from '../../api-contract/support.ts';
import type { ScoredPassage, SearchScope } from '../../ports/vectors.ts';
import { citeSentences, mergeCitations } from '../../retrieval/cite/cite.ts';
import { readQuotable } from '../../retrieval/cite/sources.ts';
import { searchPassages } from '../../retrieval/search.ts';
import { runUsage } from '../../runs/run-usage.ts';
import { assess } from '../../support/assess.ts';
import { isSameSentence } from '../../support/rules/same-sentence.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { DraftCitation } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import type { Check } from './check.ts';
import { isSimilar, mayBeShown } from './check-by-code.ts';
import { claimText, dependsOnContext, nameColumns, refersBack } from './claim-text.ts';
import { coverageOf } from './coverage.ts';
import type { DraftLikeness } from './versions.ts';

/** The number of passages to compare per claim: in a single workspace, and in each of several. */
const PASSAGES = { one: 8, several: 4 };

/** Searches the workspaces for the claim of a sentence, and for the source that the sentence names. */
export async function findEvidence(check: Check, at: number): Promise<ClaimEvidence> {
  const { sentences } = check.draft;
  const { text = '', isRow = false, columns = '' } = sentences[at] ?? {};
  const claim = claimText(text);
  const depends = at > 0 && !isRow && dependsOnContext(claim);
  const before = depends ? claimText(sentences[at - 1]?.text ?? '') : '';
  const find = (workspace: Workspace, scope?: SearchScope) =>
    candidatesIn(check, workspace, { claim, written: text, before, isRow, columns, scope });
  const found: Candidate[] = [];
  for (const workspace of check.workspaces) found.push(...(await find(workspace)));
  const search = (workspace: Workspace, words: string) => searchIn(check, workspace, words);
  const named = await check.sources.find(
    { workspaces: check.workspaces, byKey: check.byKey, search },
    text,
    find,
  );
  const own = await compared(check, claim, named?.candidates ?? []);
  const candidates = ranked([...(await compared(check, claim, found)), ...own]);
  const asked = isRow ? nameColumns(claim, columns) : undefined;
  const of = named && { ...named, candidates: own };
  return { claim, before, asked, candidates, named: of, unlisted: check.sources.unlistedIn(text) };
}

/**
 * Omits exported checks, and marks files that share sentences with the draft. Quotes from the latter are
 * evidence only if they are similar, because any version has a few of the words.
 */
async function compared(check: Check, claim: string, found: Candidate[]): Promise<Candidate[]> {
  const all: Candidate[] = [];
  for (const candidate of found) {
    const likeness = mayBeShown(claim, candidate) ? await likenessOf(check, candidate) : 'other';
    const isShown = likeness === 'other' || (likeness === 'shares' && isSimilar(claim, candidate));
    if (isShown) all.push({ ...candidate, sharesMore: likeness === 'shares' });
  }
  return all;
}

async function likenessOf(
  { versions, workspaces, ports }: Check,
  { citation: { workspaceId, path } }: Candidate,
): Promise<DraftLikeness> {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined) return 'other';
  return versions.compare(workspaceId, path, async () => {
    return (await readQuotable(ports, workspace, path))?.text;
  });
}

/**
 * Searches the files that the request's filter leaves, without the draft itself, which the workspace may contain, and
 * without the files that the request leaves out.
 */
async function searchIn(
  { ports, run, request }: Check,
  { id }: Workspace,
  query: string,
  scope?: SearchScope,
): Promise<ScoredPassage[]> {
  const options = { scope, filter: request.filter };
  const { passages } = await searchPassages(ports.searchFor(runUsage(run)), id, query, options);
  const isDraft = ({ path, fileHash }: ScoredPassage) =>
    fileHash === request.hash ||
    (id === run.workspaceId && path === request.path) ||
    (request.without ?? []).some((left) => path === left || path.startsWith(`${left}/`));
  return passages.filter((passage) => !isDraft(passage));
}

interface Wanted {
  claim: string;
  /** The sentence, with its references. */
  written: string;
  /** The previous sentence, if the claim depends on it. */
  before: string;
  isRow: boolean;
  /** The names of the columns, if the claim is a row of a table that has them. */
  columns: string;
  scope: SearchScope | undefined;
}

async function candidatesIn(check: Check, workspace: Workspace, wanted: Wanted): Promise<Candidate[]> {
  const { claim, columns } = wanted;
  const before = refersBack(claim) ? wanted.before : '';
  const passages = await searchIn(check, workspace, `${before} ${columns} ${claim}`.trim(), wanted.scope);
  const most = check.workspaces.length === 1 ? PASSAGES.one : PASSAGES.several;
  const cited = passages.slice(0, most).map((passage, at) => ({ index: at + 1, passage, claim, columns }));
  const sentences = await citeSentences(check.ports, workspace, cited);
  const around = new Map(sentences.map((each) => [each.citation.index, each.around[0]]));
  const found: Candidate[] = [];
  for (const citation of mergeCitations(sentences).filter(({ quote }) => quote !== '')) {
    const passage = passages[citation.index - 1];
    if (passage === undefined) continue;
    const place = { ...passage, around: around.get(citation.index) };
    const candidate = toCandidate(wanted, { ...citation, workspaceId: workspace.id }, place);
    const isSame =
      isSimilar(claim, candidate) && (await isInFile(check, workspace, candidate, passage, wanted));
    found.push({ ...candidate, isSame });
  }
  return found;
}

/**
 * Returns whether a file contains the sentence verbatim, with or without its references. Not for a row,
 * because code can't tell what its cells are about.
 */
async function isInFile(
  { ports }: Check,
  workspace: Workspace,
  { citation: { quote, path, stale } }: Candidate,
  { startChar, context }: ScoredPassage,
  { claim, written, isRow }: Wanted,
): Promise<boolean> {
  if (stale || isRow) return false;
  const { text = '' } = (await readQuotable(ports, workspace, path)) ?? {};
  const at = text.indexOf(quote, startChar);
  // Without `Smith (2020) found that`, the claim starts with a lowercase letter.
  const own = claim.charAt(0).toUpperCase() + claim.slice(1);
  return at !== -1 && [own, written].some((sentence) => isSameSentence(sentence, text, at, context));
}

/** The minimum share of the previous sentence in the text around a relevant quote. */
const ABOUT = 0.5;
const AROUND = 300;
const NOTHING: WordsAround = { before: '', after: '' };

type QuotedCitation = DraftCitation & Pick<Citation, 'findings'>;

function toCandidate(
  { claim, before, isRow, columns }: Wanted,
  citation: QuotedCitation,
  { text, context, around = NOTHING }: ScoredPassage & { around: WordsAround | undefined },
): Candidate {
  const { support, findings = [] } = isCompared(citation)
    ? citation
    : assess(claim, { quotes: [citation.quote], around: [around] });
  const at = Math.max(0, text.indexOf(citation.quote));
  const preceding = `${context} ${text.slice(Math.max(0, at - AROUND), at)}`;
  const isAbout = coverageOf(before, `${preceding} ${citation.quote}`) >= ABOUT;
  // A quote may contain a whole row but name its columns in other words.
  const ofRow = isRow && support === 'unjudged' ? coverageOf(claim, citation.quote) : 0;
  const coverage = Math.max(coverageOf(`${columns} ${claim}`, citation.quote), ofRow);
  const found = { isSame: false, isAbout, sharesMore: false };
  return { citation, around, coverage, ...found, support, findings };
}

/**
 * Returns whether the support is that of the quote, including the header of a table. Words in quotation marks
 * are compared elsewhere.
 */
function isCompared(citation: QuotedCitation): citation is QuotedCitation & { support: Support } {
  return citation.support !== undefined && !citation.checks?.some(({ kind }) => kind === 'quote');
}

/** Returns each quote once, ordered by coverage, then those with all facts, then those of the current file. */
function ranked(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  const different = candidates.filter(({ citation: { workspaceId, path, quote } }) => {
    const key = JSON.stringify([workspaceId, path, quote]);
    return !seen.has(key) && seen.add(key);
  });
  const lacks = ({ support }: Candidate) => (support === 'unjudged' ? 0 : 1);
  return different.toSorted((one, other) => other.coverage - one.coverage || lacks(one) - lacks(other));
}
