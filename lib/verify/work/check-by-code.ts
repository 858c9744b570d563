import * as z from 'zod';
import { hasLines } from '../../api-contract/file-kinds.ts';
import type { Finding, FindingRule, FoundPlace } from '../../api-contract/findings.ts';
import type { Support } from '../../api-contract/support.ts';
import { filePartShape } from '../../ports/file-part.ts';
import { quotationsIn } from '../../retrieval/cite/quoted-words.ts';
import { showPassage } from '../../retrieval/cite/words-around.ts';
import { assess } from '../../support/assess.ts';
import type { Judgment } from '../../support/judge.ts';
import { isTakenBack } from '../../support/rules/takes-back.ts';
import { lettersOf } from '../../text/paper-identifiers.ts';
import type { DraftCitation } from '../schema.ts';
import type { Candidate, ClaimEvidence } from './candidate.ts';
import { dependsOnContext, refersBack } from './claim-text.ts';
import { sharesNumber } from './coverage.ts';

/** The verdict of code on a claim. */
export interface CodeVerdict {
  support: Support;
  findings: Finding[];
  /**
   * Findings because of which a judgment is at most `partial`, in addition to the limiting ones in
   * `findings`.
   */
  limits: Finding[];
  citations: DraftCitation[];
  /** The claim as a judge sees it. */
  claim: string;
  /** The previous sentence, for the judge of a claim that starts with a pronoun. */
  before?: string | undefined;
  /** The words around its quotes, as a judge sees them. */
  around: string[];
  /** True if a judge may still decide. */
  isOpen: boolean;
  /** The decision of an entailment model, made right after code's. */
  entailed?: Judgment;
}

/** The same verdict, with the places of its quotes. */
interface Decided extends Pick<CodeVerdict, 'support' | 'findings'> {
  places: Candidate[];
  limits?: Finding[];
  isOpen?: boolean;
}

/** The minimum share of a claim in a relevant quote. Chinese characters are more often shared by chance. */
const NEAR = { words: 0.5, han: 0.6 };
/** The minimum share of a claim in a quote that a judge sees. A paraphrase shares few words. */
const WEAK = 0.25;
/** The maximum lead of the most similar quote over a contradicting one, for the contradiction to count. */
const ABOUT_AS_NEAR = 0.15;
const MAX_CITATIONS = 3;

/**
 * Decides by code alone. `full` requires a file with the same sentence. A similar quote without a
 * contradiction is `unjudged`, because code can't tell whether it says the same. References in the claim,
 * words to which it refers, and the text around its quotes may limit the verdict.
 */
export function checkByCode(evidence: ClaimEvidence): CodeVerdict {
  const { claim, asked = claim, before, unlisted } = evidence;
  const { used, version, isAlone } = withoutVersions(evidence);
  const decided = decide(used);
  const { limits = [], isOpen = true } = decided;
  const places = decided.places.slice(0, MAX_CITATIONS);
  return {
    support: supportOf(decided, { isAlone, isUnlisted: unlisted.length > 0 }),
    findings: [
      ...decided.findings,
      ...(isElsewhere(decided, places, used) ? [finding('subject_elsewhere')] : []),
      ...(isOpen && isDenied(decided, places) ? [finding('taken_back')] : []),
      ...(version === undefined ? [] : [finding('shares_sentences', '', { where: { path: version } })]),
      ...(unlisted.length === 0 ? [] : [finding('source_unlisted', unlisted.join(', '))]),
    ],
    limits,
    citations: places.map(({ citation }, at) => ({ ...citation, index: at + 1 })),
    claim: asked,
    ...(refersBack(claim) && { before }),
    around: places.map((place) => showPassage(place.around)),
    isOpen: isOpen && !isAlone,
  };
}

/**
 * Omits files that may be versions of the draft, because a draft isn't evidence for itself. They may also be
 * sources that the draft repeats, which even a judge couldn't distinguish. So they count if nothing else is
 * similar, or if the sentence names them.
 */
function withoutVersions(evidence: ClaimEvidence): {
  used: ClaimEvidence;
  version?: string;
  isAlone: boolean;
} {
  const { claim, candidates, named } = evidence;
  const near = candidates.filter((candidate) => isSimilar(claim, candidate));
  const version = near.find(({ sharesMore }) => sharesMore)?.citation.path;
  if (version === undefined) return { used: evidence, isAlone: false };
  const isNamed = named?.candidates.some(({ sharesMore }) => sharesMore) === true;
  if (isNamed || near.every(({ sharesMore }) => sharesMore))
    return { used: evidence, version, isAlone: true };
  const others = candidates.filter(({ sharesMore }) => !sharesMore);
  return { used: { ...evidence, candidates: others }, version, isAlone: false };
}

/** Limits the support of a sentence whose reference can't be looked up. */
function supportOf(
  { support }: Decided,
  { isAlone, isUnlisted }: { isAlone: boolean; isUnlisted: boolean },
): Support {
  if (support !== 'full') return support;
  return isAlone ? 'unjudged' : isUnlisted ? 'partial' : 'full';
}

/**
 * Returns whether the claim may be about something else. Its pronoun may refer to something else than the
 * quote's, and `we` to other people.
 */
function isElsewhere({ support }: Decided, places: Candidate[], { claim, named }: ClaimEvidence): boolean {
  if (support === 'contradicted' || places.length === 0 || !refersBack(claim)) return false;
  return !places.some((place) => isAbout(place, named));
}

/**
 * Returns whether a quote has the right subject. A sentence that names a file as its source is about that
 * file's subject.
 */
function isAbout({ isAbout, citation: { path } }: Candidate, named: ClaimEvidence['named']): boolean {
  return isAbout || path === named?.path;
}

/**
 * Returns whether the words around each similar quote negate it, which a judge may overlook. Another quote
 * that is about as similar may still support the claim.
 */
function isDenied({ support }: Decided, places: Candidate[]): boolean {
  const best = Math.max(...places.map(({ coverage }) => coverage));
  const nearest = places.filter(({ coverage }) => coverage >= best - ABOUT_AS_NEAR);
  if (support === 'full' || support === 'contradicted' || nearest.length === 0) return false;
  return nearest.every(({ around }) => isTakenBack(around));
}

function finding(rule: FindingRule, own = '', more: Pick<Finding, 'found' | 'where'> = {}): Finding {
  return { rule, own, ...more };
}

/** A claim with its similar quotes, the most similar first. */
interface Seen extends ClaimEvidence {
  near: Candidate[];
  /** The quote that is the same sentence. */
  same: Candidate | undefined;
  /** The most similar quote that contradicts the claim. */
  against: Candidate | undefined;
  /** A source that the claim names and that can't be looked up. */
  absent: string | undefined;
}

function seenOf(evidence: ClaimEvidence): Seen {
  const { claim, candidates, named } = evidence;
  const near = candidates.filter((candidate) => isSimilar(claim, candidate));
  return {
    ...{ ...evidence, near },
    same: near.find((each) => isSupported(each, evidence)),
    against: near.find(({ support }) => support === 'contradicted'),
    absent: named?.path === undefined ? named?.label : named.absent,
  };
}

/**
 * The first rule that applies decides. A source that can't be looked up limits every verdict that isn't based
 * on a contradiction in the files.
 */
function decide(evidence: ClaimEvidence): Decided {
  const seen = seenOf(evidence);
  const early = noSimilarQuote(seen) ?? quoteSaysOtherwise(seen);
  if (early !== undefined) return early;
  const found = sameSentence(seen) ?? allQuotes(seen);
  return withoutSource(byNamedSource(seen, found), seen.absent);
}

/** Applies if no quote is similar. A fact that the quotes lack even then is also missing. */
function noSimilarQuote({ claim, candidates, near, named, absent }: Seen): Decided | undefined {
  if (near.length > 0) return undefined;
  const weak = candidates.filter(({ coverage }) => coverage >= WEAK);
  return withoutSource(noneOf(claim, weak), named?.path === undefined ? absent : undefined);
}

function noneOf(claim: string, places: Candidate[]): Decided {
  if (places.length === 0) return { support: 'none', findings: [finding('no_quote')], places, isOpen: false };
  const findings = [finding('few_words'), ...missingQuotations(claim, places)];
  return { support: 'none', findings, places, limits: assess(claim, { quotes: quotesOf(places) }).findings };
}

/** Applies to a contradicting quote. If a file contains the same sentence, both places are shown instead. */
function quoteSaysOtherwise({ near, same, against }: Seen): Decided | undefined {
  const nearest = near[0]?.coverage ?? 0;
  if (same !== undefined || against === undefined || against.coverage < nearest - ABOUT_AS_NEAR)
    return undefined;
  const places = [against, ...near.filter((each) => each !== against)];
  return { support: 'contradicted', findings: against.findings, places, isOpen: false };
}

/**
 * If a sentence names a source, either that source supports it, or the reference is wrong. `found` is the
 * verdict by the quotes from all files.
 */
function byNamedSource({ named }: Seen, found: Decided): Decided {
  if (named?.path === undefined) return found;
  const { label, path, candidates } = named;
  const places = found.places.slice(0, MAX_CITATIONS);
  if (places.some(({ citation }) => citation.path === path)) return found;
  const against = candidates.find(({ support }) => support === 'contradicted');
  if (against !== undefined)
    return {
      ...{ support: 'contradicted', isOpen: false, places: [against, ...places] },
      findings: [finding('source_otherwise', label, placed(against)), ...against.findings],
    };
  const lacks = finding('source_lacks', label, { found: path, ...placed(places[0]) });
  return {
    ...{ ...found, support: 'partial', places: [...candidates.slice(0, 1), ...places] },
    findings: [lacks, ...found.findings.filter(({ rule }) => rule !== 'not_judged')],
  };
}

function sameSentence({ same, against }: Seen): Decided | undefined {
  if (same === undefined) return undefined;
  const findings = [finding('same_sentence', '', placed(same))];
  if (against === undefined) return { support: 'full', findings, places: [same] };
  findings.push(finding('other_place_otherwise', '', placed(against)));
  return { support: 'full', findings, places: [same, against] };
}

/** Combines all quotes, because the facts of a sentence may come from several places. */
function allQuotes({ claim, near }: Seen): Decided {
  const places = near.filter(({ support }) => support !== 'contradicted');
  const { support, findings } = assess(claim, { quotes: quotesOf(places) });
  if (support === 'unjudged') return { support, findings: [finding('not_judged')], places };
  return { support: 'partial', findings, places };
}

/**
 * Limits a verdict whose source isn't available, because its contents are unknown. A name that is also in the
 * quotes is part of their statement.
 */
function withoutSource(decided: Decided, label: string | undefined): Decided {
  if (label === undefined) return decided;
  const letters = lettersOf(label);
  const isSaid = quotesOf(decided.places).some((quote) => lettersOf(quote).includes(letters));
  if (isSaid && /\p{L}/u.test(letters)) return decided;
  const support = decided.support === 'full' ? 'partial' : decided.support;
  return { ...decided, support, findings: [...decided.findings, finding('source_absent', label)] };
}

/** Returns whether a file contains the same sentence about the same subject. */
function isSupported(place: Candidate, { claim, named }: ClaimEvidence): boolean {
  const { isSame, support } = place;
  return isSame && support === 'unjudged' && (!dependsOnContext(claim) || isAbout(place, named));
}

/** Returns whether a quote has the same subject as a claim. */
export function isSimilar(claim: string, { coverage, support, citation: { quote } }: Candidate): boolean {
  const isNear = coverage >= (/\p{Script=Han}/u.test(claim) ? NEAR.han : NEAR.words);
  return isNear || (support !== 'partial' && sharesNumber(claim, quote));
}

/** Returns whether a quote is shown at all, if only because it shares some words. */
export function mayBeShown(claim: string, candidate: Candidate): boolean {
  return candidate.coverage >= WEAK || isSimilar(claim, candidate);
}

/** Returns the quotes to cite. */
function quotesOf(places: Candidate[]): string[] {
  return places.slice(0, MAX_CITATIONS).map(({ citation }) => citation.quote);
}

/** Returns words in quotation marks that no quote contains. They may be invented. */
function missingQuotations(claim: string, weak: Candidate[]): Finding[] {
  const quotes = quotesOf(weak).map(lettersOf);
  const lacking = quotationsIn(claim).filter(
    (words) => !quotes.some((quote) => quote.includes(lettersOf(words))),
  );
  return lacking.map((words) => finding('quotation_missing', `“${words}”`));
}

/** Returns the place of a quote in the form in which people can find it in the file. */
function placed(candidate: Candidate | undefined): { where?: FoundPlace } {
  if (candidate === undefined) return {};
  const { path, startLine, endLine } = candidate.citation;
  const lines = hasLines(path) && { startLine, endLine };
  return { where: { path, ...lines, ...z.object(filePartShape).parse(candidate.citation) } };
}
