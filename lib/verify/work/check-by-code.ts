import { DRAFT_REASONS } from '../../api-contract/draft-reasons.ts';
import { checkClaim } from '../../claims/check-claim.ts';
import { lettersOf } from '../../papers/identity.ts';
import type { ClaimContext } from '../../support/judge.ts';
import type { ClaimVerdict, DraftCitation, VerdictName } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import { refersBack } from './claim-text.ts';
import { isFirstPerson, standsAlone } from './stands-alone.ts';

/** The verdict of code on a claim. */
export interface CodeVerdict extends Omit<ClaimVerdict, 'n' | 'judgedBy'> {
  /** As a judge is shown it. */
  claim: string;
  /** For the judge, of a claim that begins with a pronoun; absent in runs of earlier releases. */
  context?: ClaimContext;
  /** What the reason says further, whatever a judge says; absent in runs of earlier releases. */
  notes?: string[];
  /** Whether a judge may say more. */
  isOpen: boolean;
  /** The most that a judge can make of it: the quotes lack a fact, or the named source doesn't have it. */
  atMost: VerdictName;
}

/** What a quote shares with a claim that it is about. Of Chinese, characters are shared by chance more often. */
const NEAR = { words: 0.5, han: 0.6 };
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
  return withListed(withoutVersions(evidence) ?? withSubject(decide(evidence), evidence), evidence);
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
  const of = isAlone ? evidence : { ...evidence, candidates: others };
  const decided = withSubject(decide(of), of);
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

/** A pronoun may stand for something else than in the quote, and `we` for somebody else. */
function withSubject(given: CodeVerdict, { claim, before, candidates, named }: ClaimEvidence): CodeVerdict {
  if (given.verdict === 'contradicted' || given.citations.length === 0) return given;
  const quoted = given.citations.map(({ quote }) =>
    candidates.filter(({ citation }) => citation.quote === quote),
  );
  const isSame = quoted.flat().some((each) => each.isSame);
  const isDependent = given.verdict === 'partial' && isSame && !standsAlone(claim);
  const noted = isDependent ? withNote(given, DRAFT_REASONS.dependent) : given;
  const isOurs = isFirstPerson(claim) && named?.path === undefined;
  const decided: CodeVerdict = isOurs ? { ...noted, atMost: 'partial' } : noted;
  if (!refersBack(claim)) return decided;
  const context = { before, ofQuotes: quoted.map(([first]) => first?.before ?? '') };
  if (quoted.flat().some(({ isAbout }) => isAbout)) return { ...decided, context };
  return withNote({ ...decided, context, atMost: 'partial' }, DRAFT_REASONS.otherSubject);
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

function decide(evidence: ClaimEvidence): CodeVerdict {
  const { claim, candidates } = evidence;
  const near = candidates.filter((candidate) => isSimilar(claim, candidate));
  const weak = candidates.filter(({ coverage }) => coverage >= WEAK);
  const [best] = near;
  const bare = { claim: evidence.asked ?? claim, isOpen: true, atMost: 'supported' as const };
  if (best === undefined) {
    const hasWeak = weak.length > 0;
    const reason = hasWeak ? DRAFT_REASONS.weak : DRAFT_REASONS.nothing;
    const none: CodeVerdict = {
      ...bare,
      verdict: 'not_found',
      reason,
      citations: cited(weak),
      isOpen: hasWeak,
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

/** Whether a quote is about what a claim says. */
export function isSimilar(claim: string, { coverage }: Candidate): boolean {
  return coverage >= (/\p{Script=Han}/u.test(claim) ? NEAR.han : NEAR.words);
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
  const { support, reason = DRAFT_REASONS.notJudged } = checkClaim(claim, quotes);
  const atMost = support === 'unjudged' ? 'supported' : 'partial';
  return { verdict: 'partial', reason, citations, atMost };
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
