import { DRAFT_REASONS, sayDifference } from '../../api-contract/draft-reasons.ts';
import { checkClaim } from '../../claims/check-claim.ts';
import { differenceBetween } from '../../claims/difference.ts';
import { isTakenBack } from '../../claims/takes-back.ts';
import { lettersOf } from '../../papers/identity.ts';
import { quotationsIn } from '../../retrieval/cite/quoted-words.ts';
import { showAround } from '../../retrieval/cite/words-around.ts';
import type { ClaimVerdict, DraftCitation, VerdictName } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import { refersBack } from './claim-text.ts';
import { sharedOf } from './coverage.ts';
import { isFirstPerson, standsAlone } from './stands-alone.ts';

/** The verdict of code on a claim. */
export interface CodeVerdict extends Omit<ClaimVerdict, 'n' | 'judgedBy'> {
  /** As a judge is shown it. */
  claim: string;
  /** The sentence before, for the judge of a claim that begins with a pronoun; absent in runs of earlier releases. */
  before?: string;
  /** The words around its quotes, as a judge is shown them; absent in runs of earlier releases. */
  around?: string[];
  /** What the reason says further, whatever a judge says; absent in runs of earlier releases. */
  notes?: string[];
  /** Whether a judge may say more. */
  isOpen: boolean;
  /** The most that a judge can make of it: the quotes lack a fact, or the named source doesn't have it. */
  atMost: VerdictName;
}

/** What a quote shares with a claim that it is about. Of Chinese, characters are shared by chance more often. */
const NEAR = { words: 0.5, han: 0.6 };
/** What a quote that lacks a fact says of the rest: `Partly supported` is read as most of it. Three words are shared by chance rarely. */
const MOST = 0.5;
const LEAST_WORDS = 3;
/** What of a claim a quote has with its number: `Agder protects 1,250 ha` next to the row `Agder | 1,250`. */
const WITH_NUMBER = 0.6;
/** What a judge is shown: a paraphrase shares few words. */
const WEAK = 0.25;
/** A quote that says otherwise counts if none is about the claim much more than it. */
const ABOUT_AS_NEAR = 0.15;
const MAX_CITATIONS = 3;

/**
 * Decides by code alone. `supported` needs a quote that is the claim, word for word; a similar quote without a contradiction is
 * `partial`, because code can't tell whether it says the same.
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
  const note = `${DRAFT_REASONS.version} ${version.citation.path}.`;
  const isNamed = evidence.named?.candidates.some(({ sharesMore }) => sharesMore) === true;
  const isAlone = isNamed || near.every(({ sharesMore }) => sharesMore);
  const decided = decideInPlace(isAlone ? evidence : { ...evidence, candidates: others });
  if (!isAlone) return withNote(decided, note);
  const isSame = decided.reason === DRAFT_REASONS.same;
  const same = { verdict: 'partial' as const, reason: DRAFT_REASONS.notJudged };
  return withNote({ ...decided, ...(isSame && same), isOpen: false, atMost: 'partial' as const }, note);
}

function withNote<T extends { notes?: string[] }>(decided: T, note: string): T {
  return { ...decided, notes: [...(decided.notes ?? []), note] };
}

/** Each part becomes a sentence. */
export function joinReasons(parts: string[]): string {
  const [only = '', ...others] = parts.filter((part) => part !== '');
  if (others.length === 0) return only;
  return [only, ...others]
    .map((part) => (/[.!?…。！？]["'”’»」』)）]{0,3}$/u.test(part) ? part : `${part}.`))
    .join(' ');
}

/** A pronoun may stand for something else than in the quote, and `we` for other people. */
function withSubject(given: CodeVerdict, { claim, before, candidates, named }: ClaimEvidence): CodeVerdict {
  if (given.verdict === 'contradicted' || given.citations.length === 0) return given;
  const places = placesOf(given, candidates);
  const isSame = places.some((each) => each.isSame);
  const isDependent = given.verdict === 'partial' && isSame && !standsAlone(claim);
  const noted = isDependent ? withNote(given, DRAFT_REASONS.dependent) : given;
  const isOurs = isFirstPerson(claim) && named?.path === undefined;
  const decided: CodeVerdict = isOurs ? { ...noted, atMost: 'partial' } : noted;
  if (!refersBack(claim)) return decided;
  if (places.some(({ isAbout }) => isAbout)) return { ...decided, before };
  return withNote({ ...decided, before, atMost: 'partial' }, DRAFT_REASONS.otherSubject);
}

/** A sentence whose reference can't be looked up isn't supported in full. */
function withListed(decided: CodeVerdict, { unlisted }: ClaimEvidence): CodeVerdict {
  if (unlisted.length === 0) return decided;
  return withNote(atMostPartial(decided), `${DRAFT_REASONS.unlisted} ${unlisted.join(', ')}.`);
}

function atMostPartial(decided: CodeVerdict): CodeVerdict {
  const verdict = decided.verdict === 'supported' ? 'partial' : decided.verdict;
  return { ...decided, verdict, atMost: 'partial' };
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
  const around = places.map((place) => showAround(place.around));
  const best = Math.max(...places.map(({ coverage }) => coverage));
  const nearest = places.filter(({ coverage }) => coverage >= best - ABOUT_AS_NEAR);
  const isOpen = decided.verdict === 'partial' || (decided.verdict === 'not_found' && decided.isOpen);
  if (!isOpen || nearest.length === 0 || !nearest.every((place) => isTakenBack(place.around)))
    return { ...decided, around };
  return withNote({ ...decided, around, atMost: 'partial' }, DRAFT_REASONS.takenBack);
}

function decide(evidence: ClaimEvidence): CodeVerdict {
  const { claim, candidates } = evidence;
  const near = candidates.filter((candidate) => isSimilar(claim, candidate));
  const weak = candidates.filter(({ coverage }) => coverage >= WEAK);
  const [best] = near;
  const bare = { claim: evidence.asked ?? claim, isOpen: true, atMost: 'supported' as const };
  if (best === undefined) {
    const hasWeak = weak.length > 0;
    const reason = hasWeak ? weakReason(claim, weak) : DRAFT_REASONS.nothing;
    const none: CodeVerdict = {
      ...bare,
      verdict: 'not_found',
      reason,
      citations: cited(weak),
      isOpen: hasWeak,
      atMost: mostOf(claim, weak),
    };
    return evidence.named?.path === undefined ? withNamed(none, evidence) : none;
  }
  const isAlone = standsAlone(claim);
  const full = near.find(
    ({ isSame, support, citation: { path } }) =>
      isSame && support === 'unjudged' && (isAlone || path === evidence.named?.path),
  );
  const against = near.find(({ support }) => support === 'contradicted');
  if (full !== undefined) return withNamed({ ...bare, ...fullBy(full, against) }, evidence);
  if (against !== undefined && against.coverage >= best.coverage - ABOUT_AS_NEAR)
    return {
      ...bare,
      ...{ verdict: 'contradicted', reason: against.reason ?? '', isOpen: false },
      citations: cited([against, ...near.filter((each) => each !== against)]),
    };
  return withNamed({ ...bare, ...together(claim, near) }, evidence);
}

/** Whether a quote is about what a claim says. One that lacks a fact has to say most of the rest. */
export function isSimilar(claim: string, { coverage, support, citation: { quote } }: Candidate): boolean {
  const isNear = coverage >= (/\p{Script=Han}/u.test(claim) ? NEAR.han : NEAR.words);
  if (isNear && support !== 'partial') return true;
  const { share, words, numbers, all } = sharedOf(claim, quote);
  if (support !== 'partial') return words > 0 && numbers > 0 && share >= WITH_NUMBER;
  const isMost = share >= MOST && words >= Math.min(LEAST_WORDS, all);
  return isNear && (isMost || differenceBetween(claim, [quote]) !== undefined);
}

/** Whether a quote is shown at all, at least as one with some of the words. */
export function mayBeShown(claim: string, candidate: Candidate): boolean {
  return candidate.coverage >= WEAK || isSimilar(claim, candidate);
}

type Decided = Pick<CodeVerdict, 'verdict' | 'reason' | 'citations' | 'notes'> &
  Partial<Pick<CodeVerdict, 'atMost'>>;

function fullBy(full: Candidate, against: Candidate | undefined): Decided {
  const same = { verdict: 'supported' as const, reason: DRAFT_REASONS.same };
  if (against === undefined) return { ...same, citations: cited([full]) };
  const note = `Another place says otherwise: ${against.citation.path}.`;
  return { ...same, citations: cited([full, against]), notes: [note] };
}

/** The facts of a sentence may come from several places. */
function together(claim: string, near: Candidate[]): Decided {
  const citations = cited(near.filter(({ support }) => support !== 'contradicted'));
  const quotes = citations.map(({ quote }) => quote);
  const { support, reason = DRAFT_REASONS.notJudged, checks } = checkClaim(claim, quotes);
  if (support === 'unjudged') return { verdict: 'partial', reason, citations, atMost: 'supported' };
  const lacking = checks.flatMap(({ detail }) => detail?.split(', ') ?? []);
  const differing = lacking.length > 0 ? differsIn(claim, quotes, lacking) : undefined;
  return { verdict: 'partial', reason: differing ?? reason, citations, atMost: 'partial' };
}

/** Words in quotation marks that no quote has are named: they may be invented. */
function weakReason(claim: string, weak: Candidate[]): string {
  const quotes = cited(weak).map(({ quote }) => lettersOf(quote));
  const lacking = quotationsIn(claim).filter(
    (words) => !quotes.some((quote) => quote.includes(lettersOf(words))),
  );
  if (lacking.length === 0) return DRAFT_REASONS.weak;
  return joinReasons([
    DRAFT_REASONS.weak,
    `Not in the quotes: ${lacking.map((words) => `“${words}”`).join(', ')}`,
  ]);
}

/** A fact that weak quotes lack is missing, too. */
function mostOf(claim: string, weak: Candidate[]): VerdictName {
  const quotes = cited(weak).map(({ quote }) => quote);
  return checkClaim(claim, quotes).support === 'unjudged' ? 'supported' : 'partial';
}

/** The reason of a sentence that is the quote's but for these facts. */
function differsIn(claim: string, quotes: string[], facts: string[]): string | undefined {
  const difference = differenceBetween(claim, quotes);
  if (difference === undefined) return undefined;
  const isMore = difference.own.some((part, at) => isWithin(difference.said[at] ?? '', part));
  if (isMore) return undefined;
  const [own, said] = [difference.own.join(', '), difference.said.join(', ')];
  const isNamed = (fact: string) => own.includes(fact) || difference.own.some((part) => fact.includes(part));
  return facts.every(isNamed) ? sayDifference(said, own) : undefined;
}

function isWithin(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
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
  const cites = [...cited(candidates.slice(0, 1)), ...decided.citations].slice(0, MAX_CITATIONS);
  if (against !== undefined)
    return {
      ...decided,
      ...{
        verdict: 'contradicted',
        isOpen: false,
        citations: renumbered([against.citation, ...decided.citations]),
      },
      reason: `The source that it names (${label}: ${path}) says otherwise. ${against.reason ?? ''}`.trim(),
    };
  const elsewhere = decided.citations[0]?.path;
  const has = decided.verdict === 'supported' ? 'has it' : 'has something similar';
  return {
    ...decided,
    ...{ verdict: 'partial', atMost: 'partial', citations: renumbered(cites) },
    reason: `${elsewhere} ${has}, but the source that it names (${label}: ${path}) does not.`,
  };
}

/** What it says is unknown. A name that the quotes have, too, is part of what they say. */
function withoutSource(decided: CodeVerdict, label: string): CodeVerdict {
  const letters = lettersOf(label);
  const isSaid = decided.citations.some(({ quote }) => lettersOf(quote).includes(letters));
  if (isSaid && /\p{L}/u.test(letters)) return decided;
  return withNote(atMostPartial(decided), `The source that it names (${label}) is not in the files.`);
}

function cited(candidates: Candidate[]): DraftCitation[] {
  return renumbered(candidates.slice(0, MAX_CITATIONS).map(({ citation }) => citation));
}

function renumbered(citations: DraftCitation[]): DraftCitation[] {
  return citations.slice(0, MAX_CITATIONS).map((citation, at) => ({ ...citation, index: at + 1 }));
}
