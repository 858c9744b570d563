import { wordFindings } from '../../api-contract/finding-words.ts';
import { lacksFact } from '../../api-contract/findings.ts';
import { NOT_JUDGED } from '../../api-contract/report-places.ts';
import { nearestPlace } from '../../retrieval/cite/nearest.ts';
import { showPassage, wordsAround } from '../../retrieval/cite/words-around.ts';
import { askJudge } from '../../runs/steps/ask-judge.ts';
import { endsOnlyAPart } from '../../runs/steps/limits.ts';
import { workOnAll } from '../../runs/steps/work-on-all.ts';
import { applyJudgment, assess, type SupportAssessment } from '../../support/assess.ts';
import type { Judgment } from '../../support/judge.ts';
import { statesFact } from '../../support/rules/states-fact.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import { SENTENCES_A_CALL } from '../depths.ts';
import type { Counts, Evidence, Sentence } from '../schema.ts';
import { CALLS_AT_ONCE } from './evidence.ts';
import { readStudied } from './source-files.ts';
import type { Study } from './study.ts';
import { type DraftSentence, rewrite } from './write-section.ts';

/**
 * The verdict on a drafted sentence. `no` means that it is dropped; `marked` that its quotes support only
 * part of it, or that no model judged it.
 */
interface Verdict extends Pick<SupportAssessment, 'support' | 'by' | 'findings' | 'limits'> {
  draft: DraftSentence;
  /** The words around its quotes in the current files. */
  around: WordsAround[];
  state: Sentence['state'] | 'no';
  reasons: string[];
}

export interface Checked {
  paragraphs: Sentence[][];
  counts: Counts;
}

/** The permitted basis of sentences: quotes by ID, and the words of the report's own questions. */
interface Known {
  evidence: Map<string, Evidence>;
  asked: string[];
}

/**
 * Returns paragraphs in which each sentence is supported by its quotes, flagged, or dropped. Unsupported sentences are
 * rewritten once.
 */
export async function checkParagraphs(
  study: Study,
  evidence: Evidence[],
  paragraphs: DraftSentence[][],
  asked: string[],
): Promise<Checked> {
  const known: Known = { evidence: new Map(evidence.map((each) => [each.id, each])), asked };
  const drafts = paragraphs.flat().map((draft) => withKnown(draft, known));
  const first = await judge(study, known, drafts);
  const verdicts = await repair(study, evidence, known, first);
  const counts = countStates(verdicts);
  const rest = [...verdicts];
  const kept = paragraphs.map(({ length }) => rest.splice(0, length).flatMap(toSentence));
  return { paragraphs: kept.filter(({ length }) => length > 0), counts };
}

/** Keeps only known evidence. An unknown ID, or one whose quote contradicts the claim, supports nothing. */
function withKnown({ text, evidence }: DraftSentence, known: Known): DraftSentence {
  const ids = [...new Set(evidence)].filter((id) => (known.evidence.get(id)?.supports ?? 'no') !== 'no');
  return { text: withoutMarkers(text), evidence: ids };
}

/** Removes markers, because the service itself adds them. */
function withoutMarkers(text: string): string {
  return text.replace(/(?<!\s)\s*\[\^?(?:e?\d+(?:,\s*e?\d+)*)\]/g, '').trim();
}

function countStates(verdicts: Verdict[]): Counts {
  const count = (...states: Verdict['state'][]) =>
    verdicts.filter(({ state }) => states.includes(state)).length;
  return {
    sentences: verdicts.length,
    supported: count('supported'),
    marked: count('marked'),
    dropped: count('no'),
  };
}

function toSentence({ draft, state, reasons, support, by, findings }: Verdict): Sentence[] {
  if (state === 'no') return [];
  if (state === 'plain') return [{ ...draft, state }];
  return [{ ...draft, state, support, by, findings, ...(state === 'marked' && { reasons }) }];
}

/** First lets code judge, which costs nothing and can't be manipulated, then the model. */
async function judge(study: Study, known: Known, drafts: DraftSentence[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const draft of drafts) verdicts.push(await judgeByCode(study, draft, known));
  const open = verdicts.filter(({ state }) => state !== 'no');
  const batches = Array.from({ length: Math.ceil(open.length / SENTENCES_A_CALL) }, (_, at) =>
    open.slice(at * SENTENCES_A_CALL, (at + 1) * SENTENCES_A_CALL),
  );
  await workOnAll(batches, CALLS_AT_ONCE, (batch) => judgeBatch(study, known, batch));
  return verdicts;
}

/**
 * Judges by the quotes alone, because the exported report contains these. If a fact is missing or
 * contradicted, no model is needed.
 */
async function judgeByCode(study: Study, draft: DraftSentence, known: Known): Promise<Verdict> {
  const quotes = quotesOf(draft, known);
  const around = await aroundOf(study, draft, known);
  const assessed = { ...assess(draft.text, { quotes, around }), around };
  if (quotes.length === 0 && !statesFact(draft.text, known.asked))
    return { ...assessed, draft, state: 'marked', support: 'unjudged', reasons: [NOT_JUDGED] };
  const { support, findings } = assessed;
  const isWrong = support === 'contradicted' || support === 'none' || findings.some(lacksFact);
  const reasons = support === 'unjudged' ? [NOT_JUDGED] : wordFindings(findings, support);
  return { ...assessed, draft, state: isWrong ? 'no' : 'marked', reasons };
}

function quotesOf({ evidence }: DraftSentence, known: Known): string[] {
  return evidence.flatMap((id) => known.evidence.get(id)?.quote ?? []);
}

/** Returns the words around a sentence's quotes in the current files. */
function aroundOf(study: Study, { evidence }: DraftSentence, known: Known): Promise<WordsAround[]> {
  const own = evidence.flatMap((id) => known.evidence.get(id) ?? []);
  return Promise.all(own.map((each) => aroundEvidence(study, each)));
}

/** Empty if the file no longer has the quote. */
async function aroundEvidence(study: Study, evidence: Evidence): Promise<WordsAround> {
  const { quote, startLine } = evidence;
  const file = await readStudied(study, evidence);
  const place = file && nearestPlace(file, quote, file.lines[startLine - 1] ?? 0);
  if (file === undefined || place === undefined) return { before: '', after: '' };
  return wordsAround(file, place);
}

/** Changes the verdicts. A judge may overlook that the words around a quote negate it. */
async function judgeBatch(study: Study, known: Known, batch: Verdict[]): Promise<void> {
  const claims = batch.map(({ draft, around }) => ({
    ...{ sentence: draft.text, quotes: quotesOf(draft, known) },
    around: around.map(showPassage),
  }));
  const judgments = await askJudge(study, claims);
  judgments.forEach((judgment, at) => {
    const verdict = batch[at] as Verdict;
    if (judgment !== undefined) Object.assign(verdict, decidedWith(verdict, judgment));
  });
}

function decidedWith(verdict: Verdict, judgment: Judgment): Partial<Verdict> {
  const { why = '', ...decided } = applyJudgment(verdict, judgment);
  const { support, findings } = decided;
  if (support === 'full')
    return { ...decided, state: verdict.draft.evidence.length === 0 ? 'plain' : 'supported', reasons: [] };
  const words = why === '' ? wordFindings(findings, support) : [why];
  const reasons = words.length === 0 ? [UNNAMED[support]] : words;
  return { ...decided, state: support === 'partial' ? 'marked' : 'no', reasons };
}

/** The reason to show if the judge gave none. */
const UNNAMED = {
  partial: 'its quotes support it only in part',
  contradicted: 'its quotes say otherwise',
  none: 'its quotes do not support it',
  unjudged: NOT_JUDGED,
};

/**
 * Rewrites unsupported sentences once. If they are still unsupported, they are dropped; if their quotes
 * support part of them, they are flagged. Without an answer, the verdicts stay unchanged.
 */
async function repair(
  study: Study,
  evidence: Evidence[],
  known: Known,
  verdicts: Verdict[],
): Promise<Verdict[]> {
  const failed = verdicts.filter(
    ({ state, support }) => state === 'no' || (state === 'marked' && support !== 'unjudged'),
  );
  if (failed.length === 0 || evidence.length === 0) return verdicts;
  try {
    const mended = await rewrite(study, evidence, failed);
    const places = [...mended.keys()];
    const drafts = places.map((place) => withKnown(mended.get(place) as DraftSentence, known));
    const again = await judge(study, known, drafts);
    const rewritten = new Map(places.map((place, at) => [failed[place], again[at]]));
    return verdicts.map((verdict) => rewritten.get(verdict) ?? verdict);
  } catch (error) {
    if (!endsOnlyAPart(error)) throw error;
    return verdicts;
  }
}
