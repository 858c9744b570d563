import * as z from 'zod';
import { hasLines } from '../../api-contract/file-kinds.ts';
import type { Finding, FindingRule, FoundPlace } from '../../api-contract/findings.ts';
import type { Support } from '../../api-contract/support.ts';
import { lettersOf } from '../../papers/identity.ts';
import { filePartShape } from '../../ports/file-part.ts';
import { quotationsIn } from '../../retrieval/cite/quoted-words.ts';
import { showPassage } from '../../retrieval/cite/words-around.ts';
import { assess } from '../../support/assess.ts';
import type { Judgment } from '../../support/judge.ts';
import { isTakenBack } from '../../support/rules/takes-back.ts';
import type { DraftCitation } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import { dependsOnContext, refersBack } from './claim-text.ts';
import { sharesNumber } from './coverage.ts';

/** What code decides on a claim. */
export interface CodeVerdict {
  support: Support;
  findings: Finding[];
  citations: DraftCitation[];
  /** As a judge is shown it. */
  claim: string;
  /** The sentence before, for the judge of a claim that begins with a pronoun. */
  before?: string;
  /** The words around its quotes, as a judge is shown them. */
  around?: string[];
  /** Whether a judge may say more. */
  isOpen: boolean;
  /** What an entailment model decided right after it. */
  entailed?: Judgment;
  /** The most that a judge can make of it: the quotes lack a fact, or the named source doesn't have it. */
  atMost: 'full' | 'partial';
}

/** What a quote shares with a claim that it is about. Of Chinese, characters are shared by chance more often. */
const NEAR = { words: 0.5, han: 0.6 };
/** What a judge is shown: a paraphrase shares few words. */
const WEAK = 0.25;
/** A quote that says otherwise counts if none is about the claim much more than it. */
const ABOUT_AS_NEAR = 0.15;
const MAX_CITATIONS = 3;

/**
 * Decides by code alone. `full` needs a file that has the same sentence; a similar quote without a contradiction is `unjudged`, because
 * code can't tell whether it says the same.
 */
export function checkByCode(evidence: ClaimEvidence): CodeVerdict {
  return withListed(withoutVersions(evidence) ?? decideInPlace(evidence), evidence);
}

/** What a claim refers to, and what is around its quotes, may limit it. */
function decideInPlace(evidence: ClaimEvidence): CodeVerdict {
  return withAround(withSubject(decide(evidence), evidence), evidence);
}

/**
 * Where only files that may be versions of the draft have something similar: a draft is no evidence for itself, and a source that
 * it repeats isn't left out. A judge couldn't tell them apart either.
 */
function withoutVersions(evidence: ClaimEvidence): CodeVerdict | undefined {
  const near = evidence.candidates.filter((candidate) => isSimilar(evidence.claim, candidate));
  const [version] = near.filter(({ sharesMore }) => sharesMore);
  if (version === undefined) return undefined;
  const others = evidence.candidates.filter(({ sharesMore }) => !sharesMore);
  const shares = finding('shares_sentences', '', { where: { path: version.citation.path } });
  const isNamed = evidence.named?.candidates.some(({ sharesMore }) => sharesMore) === true;
  const isAlone = isNamed || near.every(({ sharesMore }) => sharesMore);
  const decided = decideInPlace(isAlone ? evidence : { ...evidence, candidates: others });
  if (!isAlone) return withFinding(decided, shares);
  const support = decided.support === 'full' ? 'unjudged' : decided.support;
  return withFinding({ ...decided, support, isOpen: false, atMost: 'partial' }, shares);
}

function finding(rule: FindingRule, own = '', more: Pick<Finding, 'found' | 'where'> = {}): Finding {
  return { rule, own, ...more };
}

function withFinding(decided: CodeVerdict, found: Finding): CodeVerdict {
  return { ...decided, findings: [...decided.findings, found] };
}

/** A pronoun may stand for something else than in the quote, and `we` for other people. */
function withSubject(decided: CodeVerdict, { claim, before, candidates, named }: ClaimEvidence): CodeVerdict {
  if (decided.support === 'contradicted' || decided.citations.length === 0) return decided;
  if (!refersBack(claim)) return decided;
  if (placesOf(decided, candidates).some((place) => isAbout(place, named))) return { ...decided, before };
  return withFinding({ ...decided, before, atMost: 'partial' }, finding('subject_elsewhere'));
}

/** A sentence that names a file as its source is about what that file is about. */
function isAbout({ isAbout, citation: { path } }: Candidate, named: ClaimEvidence['named']): boolean {
  return isAbout || path === named?.path;
}

/** A sentence whose reference can't be looked up isn't supported in full. */
function withListed(decided: CodeVerdict, { unlisted }: ClaimEvidence): CodeVerdict {
  if (unlisted.length === 0) return decided;
  return withFinding(atMostPartial(decided), finding('source_unlisted', unlisted.join(', ')));
}

function atMostPartial(decided: CodeVerdict): CodeVerdict {
  const support = decided.support === 'full' ? 'partial' : decided.support;
  return { ...decided, support, atMost: 'partial' };
}

/** The place in a file of each citation: the same words may be in another, where they are about something else. */
function placesOf({ citations }: CodeVerdict, candidates: Candidate[]): Candidate[] {
  return citations.flatMap(
    ({ workspaceId, path, quote }) =>
      candidates.find(
        ({ citation: of }) => of.workspaceId === workspaceId && of.path === path && of.quote === quote,
      ) ?? [],
  );
}

/** A judge may miss that the words around a quote deny it. Another quote that is about as near may say it nevertheless. */
function withAround(decided: CodeVerdict, { candidates }: ClaimEvidence): CodeVerdict {
  const places = placesOf(decided, candidates);
  const around = places.map((place) => showPassage(place.around));
  const best = Math.max(...places.map(({ coverage }) => coverage));
  const nearest = places.filter(({ coverage }) => coverage >= best - ABOUT_AS_NEAR);
  const isDecided = decided.support === 'full' || decided.support === 'contradicted' || !decided.isOpen;
  if (isDecided || nearest.length === 0 || !nearest.every((place) => isTakenBack(place.around)))
    return { ...decided, around };
  return withFinding({ ...decided, around, atMost: 'partial' }, finding('taken_back'));
}

function decide(evidence: ClaimEvidence): CodeVerdict {
  const { claim, candidates, named, asked = claim } = evidence;
  const near = candidates.filter((candidate) => isSimilar(claim, candidate));
  const [best] = near;
  if (best === undefined) {
    const none = withoutSimilar(evidence, asked);
    return named?.path === undefined ? withNamed(none, evidence) : none;
  }
  const same = near.find((each) => isSupported(each, evidence));
  const against = near.find(({ support }) => support === 'contradicted');
  const open = { claim: asked, isOpen: true, atMost: 'full' as const };
  if (same !== undefined) return withNamed({ ...open, ...supportedBy(same, against) }, evidence);
  if (against !== undefined && against.coverage >= best.coverage - ABOUT_AS_NEAR)
    return {
      ...{ ...open, isOpen: false, support: 'contradicted', findings: against.findings },
      citations: cited([against, ...near.filter((each) => each !== against)]),
    };
  return withNamed({ ...open, ...together(claim, near) }, evidence);
}

/** Whether a file has the same sentence, about the same. */
function isSupported(place: Candidate, { claim, named }: ClaimEvidence): boolean {
  const { isSame, support } = place;
  return isSame && support === 'unjudged' && (!dependsOnContext(claim) || isAbout(place, named));
}

function withoutSimilar({ claim, candidates }: ClaimEvidence, asked: string): CodeVerdict {
  const weak = candidates.filter(({ coverage }) => coverage >= WEAK);
  const isOpen = weak.length > 0;
  const findings = isOpen ? [finding('few_words'), ...missingQuotations(claim, weak)] : [finding('no_quote')];
  const citations = cited(weak);
  return {
    ...{ claim: asked, support: 'none', findings, citations },
    isOpen,
    atMost: isOpen ? mostOf(claim, citations) : 'partial',
  };
}

/** Whether a quote is about what a claim says. */
export function isSimilar(claim: string, { coverage, support, citation: { quote } }: Candidate): boolean {
  const isNear = coverage >= (/\p{Script=Han}/u.test(claim) ? NEAR.han : NEAR.words);
  return isNear || (support !== 'partial' && sharesNumber(claim, quote));
}

/** Whether a quote is shown at all, at least as one with some of the words. */
export function mayBeShown(claim: string, candidate: Candidate): boolean {
  return candidate.coverage >= WEAK || isSimilar(claim, candidate);
}

type Decided = Pick<CodeVerdict, 'support' | 'findings' | 'citations'> & Partial<Pick<CodeVerdict, 'atMost'>>;

function supportedBy(same: Candidate, against: Candidate | undefined): Decided {
  const found = [finding('same_sentence', '', placed(same.citation))];
  if (against === undefined) return { support: 'full', findings: found, citations: cited([same]) };
  const other = finding('other_place_otherwise', '', placed(against.citation));
  return { support: 'full', findings: [...found, other], citations: cited([same, against]) };
}

/** The facts of a sentence may come from several places. */
function together(claim: string, near: Candidate[]): Decided {
  const citations = cited(near.filter(({ support }) => support !== 'contradicted'));
  const { support, findings } = checkQuotes(claim, citations);
  if (support === 'unjudged') return { support, findings: [finding('not_judged')], citations };
  return { support: 'partial', findings, citations, atMost: 'partial' };
}

function checkQuotes(claim: string, citations: DraftCitation[]) {
  return assess(claim, { quotes: citations.map(({ quote }) => quote) });
}

/** Words in quotation marks that no quote has: they may be invented. */
function missingQuotations(claim: string, weak: Candidate[]): Finding[] {
  const quotes = cited(weak).map(({ quote }) => lettersOf(quote));
  const lacking = quotationsIn(claim).filter(
    (words) => !quotes.some((quote) => quote.includes(lettersOf(words))),
  );
  return lacking.map((words) => finding('quotation_missing', `“${words}”`));
}

/** A fact that weak quotes lack is missing, too. */
function mostOf(claim: string, weak: DraftCitation[]): CodeVerdict['atMost'] {
  return checkQuotes(claim, weak).support === 'unjudged' ? 'full' : 'partial';
}

/** A sentence that names a source is supported by that source, or its reference is wrong. */
function withNamed(decided: CodeVerdict, evidence: ClaimEvidence): CodeVerdict {
  const { named } = evidence;
  if (named === undefined) return decided;
  const { label, path, absent, candidates } = named;
  if (path === undefined) return withoutSource(decided, label);
  if (absent !== undefined)
    return withoutSource(withNamed(decided, { ...evidence, named: { ...named, absent: undefined } }), absent);
  if (decided.citations.some((citation) => citation.path === path)) return decided;
  const against = candidates.find(({ support }) => support === 'contradicted');
  if (against !== undefined)
    return {
      ...{ ...decided, support: 'contradicted', isOpen: false },
      findings: [finding('source_otherwise', label, placed(against.citation)), ...against.findings],
      citations: renumbered([against.citation, ...decided.citations]),
    };
  const [elsewhere] = decided.citations;
  return {
    ...{ ...decided, support: 'partial', atMost: 'partial' },
    findings: [
      finding('source_lacks', label, { found: path, ...placed(elsewhere) }),
      ...decided.findings.filter(({ rule }) => rule !== 'not_judged'),
    ],
    citations: renumbered([...cited(candidates.slice(0, 1)), ...decided.citations]),
  };
}

/** What it says is unknown. A name that the quotes have, too, is part of what they say. */
function withoutSource(decided: CodeVerdict, label: string): CodeVerdict {
  const letters = lettersOf(label);
  const isSaid = decided.citations.some(({ quote }) => lettersOf(quote).includes(letters));
  if (isSaid && /\p{L}/u.test(letters)) return decided;
  return withFinding(atMostPartial(decided), finding('source_absent', label));
}

/** The place of a quote, as people find it in the file. */
function placed(citation: DraftCitation | undefined): { where?: FoundPlace } {
  if (citation === undefined) return {};
  const { path, startLine, endLine } = citation;
  const lines = hasLines(path) && { startLine, endLine };
  return { where: { path, ...lines, ...z.object(filePartShape).parse(citation) } };
}

function cited(candidates: Candidate[]): DraftCitation[] {
  return renumbered(candidates.map(({ citation }) => citation));
}

function renumbered(citations: DraftCitation[]): DraftCitation[] {
  return citations.slice(0, MAX_CITATIONS).map((citation, at) => ({ ...citation, index: at + 1 }));
}
