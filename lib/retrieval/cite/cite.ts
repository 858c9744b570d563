import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import {
  CHECK_KINDS,
  type Citation,
  type CitationCheck,
  type CitedClaim,
  weakestOf,
} from '../../api-contract/citation.ts';
import { DECIDERS, type Finding } from '../../api-contract/findings.ts';
import { SUPPORTS } from '../../api-contract/support.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineAt } from '../../formats/lines.ts';
import { filePartShape } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';
import { findingSchema } from '../../support/finding-schema.ts';
import { checkClaim } from '../../support/rules/check-claim.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { cutsSomething } from './cut-ends.ts';
import { nearestPlace } from './nearest.ts';
import { findQuote } from './quote.ts';
import {
  type FoundWords,
  findQuotedWords,
  joinPlaces,
  quotationsIn,
  widenToSentence,
} from './quoted-words.ts';
import { type QuotableFile, readQuotable, type SourcePorts } from './sources.ts';
import { stretchesAround } from './stretches-around.ts';
import { withTableHeader } from './table-header.ts';
import { wordsAround } from './words-around.ts';

const checksSchema = z
  .array(
    z
      .strictObject({
        kind: z
          .enum(CHECK_KINDS)
          .describe('What was compared. `quote`: words that the sentence has in quotation marks.')
          .meta({ title: 'CheckKind' }),
        ok: z.boolean().describe('Whether the quotes hold every fact of this kind.'),
        detail: z.string().optional().describe('What the quotes lack, in the words of the sentence.'),
      })
      .meta({ id: 'CitationCheck' }),
  )
  .describe('Checks by code: one per kind of fact that the sentence has.');
const supportSchema = z
  .enum(SUPPORTS)
  .describe(
    'How far the quotes of the sentence support it. `unjudged`: code found nothing wrong, and no model judged it.',
  )
  .meta({ title: 'Support' });
const reasonSchema = z.string().describe('Why the support is less than full, as far as it is known.');
const judgedSchema = z
  .literal(true)
  .describe(
    'Present if a model decided on the support. Absent if code did, and in answers of earlier releases.',
  );

const assessedShape = {
  by: z.enum(DECIDERS).optional().describe('What decided on the support.').meta({ title: 'Decider' }),
  findings: z
    .array(findingSchema)
    .optional()
    .describe('What code found: the rule that fired, the words of the sentence, and those of the source.'),
};

const claimSchema = z
  .strictObject({
    text: z.string().describe('The sentence, without markers.'),
    startLine: z.number().int().describe('First line of its quote, starting at 1.'),
    endLine: z.number().int().describe('Last line of its quote.'),
    ...filePartShape,
    quote: z.string(),
    support: supportSchema,
    reason: reasonSchema.optional(),
    judged: judgedSchema.optional(),
    ...assessedShape,
    checks: checksSchema,
  })
  .meta({ id: 'CitedClaim' }) satisfies z.ZodType<CitedClaim>;

export const citationSchema = z
  .strictObject({
    index: z
      .number()
      .int()
      .describe('Number of the citation in the answer: 1, 2, 3 in the order of first use.'),
    path: z.string(),
    startLine: z.number().int().describe('First line of the quote, starting at 1.'),
    endLine: z.number().int(),
    ...filePartShape,
    quote: z
      .string()
      .describe(
        'Quote: an exact substring of the current file. Empty if nothing in the file is similar to the sentence.',
      ),
    fileHash: z
      .string()
      .describe('SHA-256 of the current file. If the file no longer exists, of its indexed version.'),
    verified: z
      .boolean()
      .describe(
        'Whether the current file contains the quote, code found nothing wrong with the sentences that cite it, and no model judged otherwise. `support` says more.',
      ),
    stale: z.boolean().describe('Whether the file was changed or deleted after it was indexed.'),
    support: supportSchema
      .optional()
      .describe(
        'The weakest support of the sentences that cite the passage. Absent in answers of earlier releases, which were not judged.',
      ),
    reason: reasonSchema.optional(),
    judged: judgedSchema.optional(),
    ...assessedShape,
    checks: checksSchema.optional(),
    claims: z
      .array(claimSchema)
      .optional()
      .describe('The sentences that cite the passage, if there are several.'),
  })
  .meta({ id: 'Citation' }) satisfies z.ZodType<Citation>;

export interface Cited {
  index: number;
  passage: Passage;
  claim: string;
  /** The other passages that the same sentence cites: its facts may come from several. */
  beside?: Passage[];
  /** The names of the columns, if the claim is a row of a table: its place may be found by them, but it doesn't claim them. */
  columns?: string;
}

/** A sentence with one of the passages that it cites. */
export interface SentenceCitation {
  /** As if no other sentence cited the passage. */
  citation: Citation & { support: CitedClaim['support']; checks: CitationCheck[] };
  claim: string;
  /** All quotes of the sentence; a row of a table with its header. */
  quotes: string[];
  /** The words around each of them. */
  around: WordsAround[];
}

/** Pairs of a sentence and a passage that are compared. */
const MAX_PAIRS = 60;

/** Returns the citations of passages for sentences of an answer, checked by code against the current files. */
export async function citeAll(ports: SourcePorts, workspace: Workspace, all: Cited[]): Promise<Citation[]> {
  return mergeCitations(await citeSentences(ports, workspace, all));
}

/** The same, each sentence with each of its passages. The first sentence of each passage is always compared. */
export async function citeSentences(
  ports: SourcePorts,
  workspace: Workspace,
  all: Cited[],
): Promise<SentenceCitation[]> {
  const finder = placeFinder(ports, workspace);
  const cited: SentenceCitation[] = [];
  const known = new Set<number>();
  const further = new Map<number, SentenceCitation>();
  for (const each of all) {
    const { index } = each;
    if (cited.length < MAX_PAIRS || !known.has(index)) cited.push(await citeOne(finder, each));
    else if (!further.has(index)) further.set(index, uncompared(each));
    known.add(index);
  }
  return [...cited, ...further.values()];
}

/**
 * One citation per passage, in the order of first use. It has the first quote that was found, and the weakest support of its
 * sentences; `claims` has each of them if there are several.
 */
export function mergeCitations(cited: SentenceCitation[]): Citation[] {
  return [...Map.groupBy(cited, ({ citation }) => citation.index).values()].map((group) => {
    const citations = group.map(({ citation }) => citation);
    const [first] = citations as [(typeof citations)[number]];
    const { support, reason, findings } = weakestOf(citations as [typeof first]);
    const { reason: _, ...shown } = citations.find(({ quote }) => quote !== '') ?? first;
    return {
      ...shown,
      verified: citations.every(({ verified }) => verified),
      support,
      findings: findings ?? [],
      ...(reason !== undefined && { reason }),
      checks: mergeChecks(citations.flatMap(({ checks }) => checks)),
      ...(group.length > 1 && { claims: group.map(toClaim) }),
    };
  });
}

function toClaim({ citation, claim }: SentenceCitation): CitedClaim {
  const { index: _, path: __, fileHash: ___, verified: ____, stale: _____, ...rest } = citation;
  return { text: claim, ...rest };
}

function mergeChecks(checks: CitationCheck[]): CitationCheck[] {
  return [...Map.groupBy(checks, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const details = [...new Set(ofKind.flatMap(({ detail }) => detail ?? []))];
    const ok = ofKind.every((check) => check.ok);
    return { kind, ok, ...(details.length > 0 && { detail: details.join('; ') }) };
  });
}

/** Where a file says what a sentence does, if anywhere in a passage; `source` is undefined for a file that is gone. */
interface Place {
  /** Of the passage. */
  headings: string;
  source: QuotableFile | undefined;
  run: TextRun | undefined;
  /** The quotations of the sentence that are in the file. */
  found: Set<string>;
}

type FindPlace = (passage: Passage, claim: string) => Promise<Place>;

/** Looks once for each sentence in each passage: those that a sentence cites are compared with each of its citations. */
function placeFinder(ports: SourcePorts, workspace: Workspace): FindPlace {
  const known = new Map<Passage, Map<string, Place>>();
  const findWords = wordFinder();
  return async (passage, claim) => {
    const places = known.get(passage) ?? new Map<string, Place>();
    known.set(passage, places);
    const there = places.get(claim);
    if (there !== undefined) return there;
    const source = await readQuotable(ports, workspace, passage.path);
    await nextTurn();
    const run = source && placeOf(source, passage, claim);
    const place =
      source === undefined
        ? { headings: '', source, run, found: new Set<string>() }
        : await withQuotedWords(source, { passage, claim, run }, findWords);
    places.set(claim, place);
    return place;
  };
}

type FindWords = (source: QuotableFile, words: string, near: number) => Promise<FoundWords>;

/** Looks once for the same words in the same file. */
function wordFinder(): FindWords {
  const known = new Map<QuotableFile, Map<string, Promise<FoundWords>>>();
  return (source, words, near) => {
    const found = known.get(source) ?? new Map<string, Promise<FoundWords>>();
    known.set(source, found);
    const there = found.get(words) ?? findQuotedWords(source, words, near);
    found.set(words, there);
    return there;
  };
}

/** Words in quotation marks that are in the file are what the citation quotes, wherever they are in it. */
async function withQuotedWords(
  source: QuotableFile,
  { passage, claim, run }: { passage: Passage; claim: string; run: TextRun | undefined },
  findWords: FindWords,
): Promise<Place> {
  const found = new Set<string>();
  let quoted: TextRun | undefined;
  for (const words of quotationsIn(claim)) {
    const place = await findWords(source, words, passage.startChar);
    if (place !== false) found.add(words);
    if (typeof place === 'object') quoted ??= place;
  }
  return {
    headings: passage.context,
    source,
    run: quoted === undefined ? run : withPlace(source, run, quoted),
    found,
  };
}

/** What was found otherwise stays with it if it is near: it may have the facts of the sentence. */
function withPlace(source: QuotableFile, run: TextRun | undefined, quoted: TextRun): TextRun {
  const sentence = widenToSentence(source, quoted);
  if (run === undefined) return sentence;
  const isInside = run.start <= quoted.start && quoted.end <= run.end;
  return joinPlaces(source, run, sentence) ?? (isInside ? run : sentence);
}

async function citeOne(
  findPlace: FindPlace,
  { index, passage, claim, beside = [], columns = '' }: Cited,
): Promise<SentenceCitation> {
  const { path, startLine, endLine, part, fileHash } = passage;
  const place = await findPlace(passage, columns === '' ? claim : `${columns}\n${claim}`);
  const places = [place];
  for (const other of beside) places.push(await findPlace(other, claim));
  await nextTurn();
  const { source, run } = place;
  const byQuote = new Map(places.map((each) => [comparedText(each), aroundOf(each)]));
  byQuote.delete('');
  const [quotes, around] = [[...byQuote.keys()], [...byQuote.values()]];
  const stale = source?.hash !== fileHash;
  const common = { index, path, fileHash: source?.hash ?? fileHash, stale };
  const checked = checkSentence(claim, { quotes, around, places });
  if (source === undefined || run === undefined) {
    const none = { ...part, startLine, endLine, quote: '', verified: false, support: 'none' as const };
    return {
      citation: { ...common, ...none, ...NO_QUOTE, checks: checked.checks },
      claim,
      quotes,
      around,
    };
  }
  const lines = { startLine: lineAt(source.lines, run.start), endLine: lineAt(source.lines, run.end - 1) };
  const found = { ...(source.partAt(run) ?? part), ...lines, quote: textOf(place) };
  const verified = checked.support === 'unjudged';
  return { citation: { ...common, ...found, verified, by: 'code', ...checked }, claim, quotes, around };
}

const NO_QUOTE = {
  reason: 'No quote was found.',
  by: 'code' as const,
  findings: [{ rule: 'no_quote' as const, own: '' }],
};

/** A sentence that is not compared, because the answer cites more often than anybody reads. */
function uncompared({ index, passage, claim }: Cited): SentenceCitation {
  const { path, startLine, endLine, part, fileHash } = passage;
  const place = { index, path, ...part, startLine, endLine, quote: '', fileHash };
  const support = {
    ...{ support: 'unjudged' as const, reason: 'The sentence was not compared.', by: 'code' as const },
    ...{ findings: [{ rule: 'not_compared' as const, own: '' }], checks: [] },
  };
  return { citation: { ...place, verified: false, stale: false, ...support }, claim, quotes: [], around: [] };
}

/** The checks of a sentence with all its quotes. An invented quotation leaves `partial` at best. */
function checkSentence(
  claim: string,
  { quotes, around, places }: Pick<SentenceCitation, 'quotes' | 'around'> & { places: Place[] },
) {
  const stretches = places.flatMap(({ source, run }) =>
    source === undefined || run === undefined || isRow(source, run) ? [] : stretchesAround(source, run),
  );
  const checked = checkClaim(claim, quotes, around, stretches);
  const quotations = quotationsIn(claim);
  if (quotations.length === 0) return checked;
  const lacking = quotations.filter((words) => !places.some(({ found }) => found.has(words)));
  const detail = lacking.join('; ').slice(0, MAX_DETAIL).toWellFormed();
  const ok = lacking.length === 0;
  const checks: CitationCheck[] = [...checked.checks, { kind: 'quote', ok, ...(!ok && { detail }) }];
  const invented = lacking.map((own): Finding => ({ rule: 'quotation_missing', own }));
  const findings = [...invented, ...checked.findings];
  if (ok || checked.support !== 'unjudged') return { ...checked, findings, checks };
  return {
    checks,
    findings,
    support: 'partial' as const,
    reason: `Not in the cited files: ${JSON.stringify(detail)}`,
  };
}

const MAX_DETAIL = 200;

/** The other rows of a table have numbers of other things. */
function isRow(source: QuotableFile, run: TextRun): boolean {
  const part = source.partAt(run);
  return (
    part?.rows !== undefined || part?.of !== undefined || source.text.slice(run.start, run.end).includes('|')
  );
}

function textOf({ source, run }: Place): string {
  return source === undefined || run === undefined ? '' : source.text.slice(run.start, run.end);
}

function comparedText({ source, run }: Place): string {
  return source === undefined || run === undefined ? '' : withTableHeader(source, run);
}

function aroundOf({ headings, source, run }: Place): WordsAround {
  if (source === undefined || run === undefined) return { before: '', after: '' };
  return wordsAround(source, run, headings);
}

function placeOf(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  return source.hash === passage.fileHash
    ? findInPassage(source, passage, claim)
    : findAgain(source, passage, claim);
}

/** Returns the parts of the readable runs that are within the passage. */
function findInPassage({ text, runs }: QuotableFile, { startChar, endChar }: Passage, claim: string) {
  const inside = runs
    .filter(({ start, end }) => start < endChar && end > startChar)
    .map(({ start, end }) => ({ start: Math.max(start, startChar), end: Math.min(end, endChar) }));
  return findQuote(text, inside, claim, runs);
}

/** Searches the current text for what would have been quoted; `12 owls` isn't in `112 owls`. */
function findAgain(source: QuotableFile, passage: Passage, claim: string): TextRun | undefined {
  const old = passage.text;
  const place = findQuote(old, [{ start: 0, end: old.length }], claim);
  if (place === undefined) return undefined;
  const quote = old.slice(place.start, place.end);
  const isWhole = !cutsSomething(old, place);
  const fits = (found: TextRun) => !isWhole || !cutsSomething(source.text, found);
  return nearestPlace(source, quote, passage.startChar + place.start, fits);
}
