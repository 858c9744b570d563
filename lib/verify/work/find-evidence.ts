import { runUsage } from '../../agent/run-usage.ts';
import { checkClaim } from '../../claims/check-claim.ts';
import type { WordsAround } from '../../claims/takes-back.ts';
import type { ScoredPassage, SearchScope } from '../../ports/vectors.ts';
import { citeSentences, mergeCitations } from '../../retrieval/cite/cite.ts';
import { readQuotable } from '../../retrieval/cite/sources.ts';
import { searchPassages } from '../../retrieval/search.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { DraftCitation } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import type { Check } from './check.ts';
import { isSimilar, mayBeShown } from './check-by-code.ts';
import { claimText, refersBack } from './claim-text.ts';
import { coverageOf } from './coverage.ts';
import { isRepeated } from './repeated.ts';

/** Passages that are compared per claim: of one workspace, and of each of several. */
const PASSAGES = { one: 8, several: 4 };

/** Searches the workspaces for what a sentence of the draft claims, and in the source that it names. */
export async function findEvidence(check: Check, at: number): Promise<ClaimEvidence> {
  const { sentences } = check.draft;
  const text = sentences[at]?.text ?? '';
  const claim = claimText(text);
  const before = at > 0 && refersBack(claim) ? claimText(sentences[at - 1]?.text ?? '') : '';
  const query = `${before} ${claim}`.trim();
  const find = (workspace: Workspace, scope?: SearchScope) =>
    candidatesIn(check, workspace, { query, claim, before, scope });
  const found: Candidate[] = [];
  for (const workspace of check.workspaces) found.push(...(await find(workspace)));
  const search = (workspace: Workspace, words: string) => searchIn(check, workspace, words);
  const named = await check.sources.find({ workspaces: check.workspaces, search }, text, find);
  const { others, versions } = await withoutVersions(check, claim, found);
  return { claim, candidates: ranked([...others, ...(named?.candidates ?? [])]), named, versions };
}

/** Leaves out what is in another version of the draft. What is similar there is named. */
async function withoutVersions(check: Check, claim: string, found: Candidate[]) {
  const others: Candidate[] = [];
  const versions = new Set<string>();
  for (const candidate of found) {
    const isVersion = mayBeShown(claim, candidate) && (await isOfVersion(check, candidate));
    if (!isVersion) others.push(candidate);
    else if (isSimilar(claim, candidate)) versions.add(candidate.citation.path);
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
  query: string;
  claim: string;
  /** The sentence before, if the claim refers to it. */
  before: string;
  scope: SearchScope | undefined;
}

async function candidatesIn(
  check: Check,
  workspace: Workspace,
  { query, claim, before, scope }: Wanted,
): Promise<Candidate[]> {
  const passages = await searchIn(check, workspace, query, scope);
  const most = check.workspaces.length === 1 ? PASSAGES.one : PASSAGES.several;
  const cited = passages.slice(0, most).map((passage, at) => ({ index: at + 1, passage, claim }));
  const sentences = await citeSentences(check.ports, workspace, cited);
  const around = new Map(sentences.map(({ citation, around: [words] }) => [citation.index, words]));
  return mergeCitations(sentences)
    .filter(({ quote }) => quote !== '')
    .map((citation) =>
      toCandidate(
        { claim, before },
        { ...citation, workspaceId: workspace.id },
        { ...passages[citation.index - 1], around: around.get(citation.index) },
      ),
    );
}

/** How much of the sentence before is around a quote that is about the same. */
const ABOUT = 0.5;
const AROUND = 300;

function toCandidate(
  { claim, before }: Pick<Wanted, 'claim' | 'before'>,
  citation: DraftCitation,
  {
    text = '',
    context = '',
    around: words = { before: '', after: '' },
  }: Partial<Pick<ScoredPassage, 'text' | 'context'>> & { around: WordsAround | undefined },
): Candidate {
  const { support, reason } = checkClaim(claim, [citation.quote]);
  const isSame = !citation.stale && isRepeated(claim, { quote: citation.quote, text, context });
  const at = Math.max(0, text.indexOf(citation.quote));
  const around = `${context} ${text.slice(Math.max(0, at - AROUND), at)} ${citation.quote}`;
  const isAbout = coverageOf(before, around) >= ABOUT;
  return {
    citation,
    around: words,
    coverage: coverageOf(claim, citation.quote),
    isSame,
    isAbout,
    support,
    reason,
  };
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
