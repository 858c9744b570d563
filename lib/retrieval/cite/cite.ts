import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import {
  CHECK_KINDS,
  type Citation,
  type CitationCheck,
  type CitedClaim,
  weakestOf,
} from '../../api-contract/citation.ts';
import { reasonOf } from '../../api-contract/finding-words.ts';
import type { Finding } from '../../api-contract/findings.ts';
import { namedShape, withDocumentNames } from '../../documents/named.ts';
import { filePartShape } from '../../ports/file-part.ts';
import type { Passage } from '../../ports/vectors.ts';
import { deciderSchema, findingSchema, supportSchema } from '../../support/assessment-schema.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { checkSentence } from './check-sentence.ts';
import { type FindPlace, placeFinder, type SourceWorkspaces } from './find-place.ts';
import { furtherPieces, pieceOf } from './pieces.ts';
import type { SourcePorts } from './sources.ts';

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

const pieceShape = {
  startLine: z.int().describe('First line of the quote, starting at 1.'),
  endLine: z.int().describe('Last line of the quote.'),
  ...filePartShape,
  quote: z
    .string()
    .describe('Exact substring of the current file. Empty if nothing in it is similar to the sentence.'),
};

/** The assessment of a sentence, and of all sentences that cite a passage. */
const assessedShape = {
  quotes: z
    .array(z.object(pieceShape).meta({ id: 'QuotedPiece' }))
    .optional()
    .describe('One to three pieces of the file that hold the facts of the sentence; `quote` is the first.'),
  reason: z.string().optional().describe('Why the support is less than full, as far as it is known.'),
  judged: z
    .literal(true)
    .optional()
    .describe('Present if a model decided on the support. Absent if code did.'),
  by: deciderSchema.optional(),
  findings: z
    .array(findingSchema)
    .optional()
    .describe('What code found: the rule that fired, the words of the sentence, and those of the source.'),
};

const claimSchema = z
  .strictObject({
    text: z.string().describe('The sentence, without markers.'),
    ...pieceShape,
    support: supportSchema,
    ...assessedShape,
    checks: checksSchema,
  })
  .meta({ id: 'CitedClaim' }) satisfies z.ZodType<CitedClaim>;

const foundSentenceSchema = z
  .strictObject({
    start: z.int().describe('First UTF-16 unit of the sentence in the text, starting at 0.'),
    end: z.int().describe('End of the sentence, exclusive.'),
    text: z.string(),
  })
  .meta({ id: 'FoundSentence' });

export const citationSchema = z
  .strictObject({
    index: z.int().describe('Number of the citation in the answer: 1, 2, 3 in the order of first use.'),
    workspaceId: z
      .string()
      .optional()
      .describe('ID of the workspace of the file. Present if the question named a list of workspaces.'),
    path: z.string(),
    ...namedShape,
    ...pieceShape,
    fileHash: z
      .string()
      .describe('SHA-256 of the current file. If the file no longer exists, of its indexed version.'),
    verified: z
      .boolean()
      .describe(
        'Use `support`. This says only that the file contains the quote, that code found nothing wrong with the sentences that cite it, and that no model judged them unsupported; not that they are true.',
      )
      .meta({ deprecated: true }),
    stale: z.boolean().describe('Whether the file was changed or deleted after it was indexed.'),
    support: supportSchema.optional().describe('The weakest support of the sentences that cite the passage.'),
    ...assessedShape,
    checks: checksSchema.optional(),
    claims: z
      .array(claimSchema)
      .optional()
      .describe('The sentences that cite the passage, if there are several.'),
    origin: z
      .enum(['model', 'service'])
      .optional()
      .describe(
        'Whether the model cited the passage, or the service found it for sentences without a marker. Absent in notes: the model.',
      ),
    sentences: z
      .array(foundSentenceSchema)
      .optional()
      .describe(
        'If `origin` is `service`: the sentences for which it found the passage, with their places in the text of the answer, in UTF-16 units. The text has no marker for them.',
      ),
  })
  .meta({ id: 'Citation' }) satisfies z.ZodType<Citation>;

export interface Cited {
  index: number;
  passage: Passage;
  claim: string;
  /** The other passages that the same sentence cites, because its facts may come from several. */
  beside?: Passage[];
  /**
   * The names of the columns, if the claim is a row of a table. They help to find its place, but don't belong
   * to the claim.
   */
  columns?: string;
}

/** A sentence with one of the passages that it cites. */
export interface SentenceCitation {
  /** The citation as if no other sentence cited the passage. */
  citation: Citation & { support: CitedClaim['support']; checks: CitationCheck[] };
  claim: string;
  /** All quotes of the sentence. A row of a table includes the table's header. */
  quotes: string[];
  /** The words around each quote. */
  around: WordsAround[];
  /** Findings because of which a judge can't return `full`. */
  limits: Finding[];
}

/** The maximum number of compared pairs of a sentence and a passage. */
export const MAX_PAIRS = 60;

/** Returns the citations of passages for sentences of an answer, checked by code against the current files. */
export async function citeAll(ports: SourcePorts, workspace: Workspace, all: Cited[]): Promise<Citation[]> {
  const citations = mergeCitations(await citeSentences(ports, workspace, all));
  return withDocumentNames(ports.records, workspace, citations);
}

/**
 * Does the same for each pair of a sentence and a cited passage. The first sentence of each passage is always
 * compared. If a source lacks a fact, the fact is looked for in the passages that were `offered` to the
 * model.
 */
export async function citeSentences(
  ports: SourcePorts,
  workspaces: SourceWorkspaces,
  all: Cited[],
  offered: Passage[] = [],
): Promise<SentenceCitation[]> {
  const finder = placeFinder(ports, workspaces);
  const cited: SentenceCitation[] = [];
  const known = new Set<number>();
  const further = new Map<number, SentenceCitation>();
  for (const each of all) {
    const { index } = each;
    if (cited.length < MAX_PAIRS || !known.has(index)) cited.push(await citeOne(finder, each, offered));
    else if (!further.has(index)) further.set(index, uncompared(each));
    known.add(index);
  }
  return [...cited, ...further.values()];
}

/**
 * Returns one citation per passage, in the order of first use. It has the first quote found, and the weakest support of
 * its sentences. `claims` has each sentence if there are several.
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
  const {
    workspaceId: _w,
    index: _,
    path: __,
    fileHash: ___,
    verified: ____,
    stale: _____,
    ...rest
  } = citation;
  return { text: claim, ...rest };
}

function mergeChecks(checks: CitationCheck[]): CitationCheck[] {
  return [...Map.groupBy(checks, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const details = [...new Set(ofKind.flatMap(({ detail }) => detail ?? []))];
    const ok = ofKind.every((check) => check.ok);
    return { kind, ok, ...(details.length > 0 && { detail: details.join('; ') }) };
  });
}

async function citeOne(
  findPlace: FindPlace,
  { index, passage, claim, beside = [], columns = '' }: Cited,
  offered: Passage[],
): Promise<SentenceCitation> {
  const { path, startLine, endLine, part, fileHash } = passage;
  const place = await findPlace(passage, columns === '' ? claim : `${columns}\n${claim}`);
  const places = [{ ...place, path }];
  for (const other of beside) places.push({ ...(await findPlace(other, claim)), path: other.path });
  await nextTurn();
  const { quotes, around, limits, foundAround, ...found } = checkSentence(claim, places, offered);
  const { source, run } = place;
  const common = {
    ...workspaceField(passage),
    index,
    path,
    fileHash: source?.hash ?? fileHash,
    stale: source?.hash !== fileHash,
  };
  const compared = { claim, quotes, around, limits };
  if (source === undefined || run === undefined) {
    // The other cited passages may contain the whole sentence.
    const findings = quotes.length === 0 ? found.findings : [NO_QUOTE, ...found.findings];
    const none = { ...found, support: 'none' as const, findings, reason: reasonOf('none', findings) };
    const place = { ...part, startLine, endLine, quote: '', verified: false };
    return { citation: { ...common, ...place, ...none }, ...compared };
  }
  const first = pieceOf(source, run, part);
  const further = furtherPieces(source, run, foundAround).map((each) => pieceOf(source, each, part));
  const reason = reasonOf(found.support, found.findings);
  const why = { verified: found.support === 'unjudged', ...found, ...(reason !== '' && { reason }) };
  return { citation: { ...common, ...first, quotes: [first, ...further], ...why }, ...compared };
}

function workspaceField({ workspaceId }: Passage): Pick<Citation, 'workspaceId'> {
  return workspaceId === undefined ? {} : { workspaceId };
}

const NO_QUOTE: Finding = { rule: 'no_quote', own: '' };

/** Returns a sentence that isn't compared, because the answer has too many citations. */
function uncompared({ index, passage, claim }: Cited): SentenceCitation {
  const { path, startLine, endLine, part, fileHash } = passage;
  const place = { ...workspaceField(passage), index, path, ...part, startLine, endLine, quote: '', fileHash };
  const support = {
    ...{ support: 'unjudged' as const, reason: 'The sentence was not compared.', by: 'code' as const },
    ...{ findings: [{ rule: 'not_compared' as const, own: '' }], checks: [] },
  };
  const citation = { ...place, verified: false, stale: false, ...support };
  return { citation, claim, quotes: [], around: [], limits: [] };
}
