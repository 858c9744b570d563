import * as z from 'zod';
import type { Run } from '../../runs/schema.ts';
import { evidenceSchema, planSchema, type Report, type ResearchPlan, reportSchema } from '../schema.ts';

/** The form of the files of a proof. A reader refuses others. */
export const PROOF_VERSION = 1;

/** Names of the files of a proof. */
export const FILE = {
  metadata: 'ro-crate-metadata.json',
  preview: 'ro-crate-preview.html',
  text: 'report.md',
  report: 'report.json',
  quotes: 'quotes.json',
  plan: 'plan.json',
  calls: 'calls.json',
  manifest: 'manifest-sha256.txt',
  root: 'root-hash.txt',
} as const;

/** The name of the steps that store the extracts of a finished report. */
export const EXTRACTS_STEP = 'extracts';

const version = z.literal(PROOF_VERSION);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A model writes sentences, and code cuts quotes: both are far shorter. Checks of longer texts would take long. */
const MAX_TEXT = 20_000;

/** A passage around a quote, as the index read it. */
export interface Extract {
  /** Of the file that it was read from. */
  fileHash: string;
  text: string;
  /** The line of the file at which it starts, from 1. */
  firstLine: number;
  /** The place of the quote in it, in UTF-16 code units. */
  start: number;
}

const quoteSchema = z.strictObject({
  ...evidenceSchema.shape,
  quote: z.string().max(MAX_TEXT),
  /** The number of its footnote in `report.md`. */
  footnote: z.int().nullable(),
  /** Numbers of the sentences that cite it, from 1, in the order of the report. */
  sentences: z.array(z.int()),
  quoteSha256: sha256,
  /** Of the file with the quote when the report was finished. Null if the quote was no longer there. */
  fileSha256: sha256.nullable(),
  extract: z
    .strictObject({ file: z.string(), sha256, firstLine: z.int().min(1), start: z.int().min(0) })
    .nullable(),
});
export type ProofQuote = z.infer<typeof quoteSchema>;
/** With the text of its extract. */
export type PassagedQuote = ProofQuote & { passage?: string | undefined };
export const quotesFileSchema = z.strictObject({ version, quotes: z.array(quoteSchema).max(10_000) });

export const reportFileSchema = z.strictObject({
  version,
  runId: z.string(),
  ...reportSchema.omit({ evidence: true }).shape,
});
export type ReportFile = z.infer<typeof reportFileSchema>;

export const planFileSchema = z.strictObject({ version, ...planSchema.shape });

const callSchema = z.strictObject({
  step: z.string(),
  model: z.string(),
  /** True if an earlier report of the workspace made the same request, whose answer was used again. */
  reused: z.boolean(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Of the request without its random delimiters. Null for a call that failed. */
  requestSha256: sha256.nullable(),
  answerSha256: sha256.nullable(),
});
export type ModelCall = z.infer<typeof callSchema>;

export const callsFileSchema = z.strictObject({
  version,
  calls: z.array(callSchema),
  totals: z.strictObject({
    calls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    costUsd: z.number().nullable(),
  }),
});
type ProofTotals = z.infer<typeof callsFileSchema>['totals'];

/** All that a proof is made of. */
export interface ProofMaterial {
  run: Pick<Run, 'id' | 'createdAt' | 'finishedAt' | 'model'>;
  plan: ResearchPlan;
  report: Report;
  /** By the ID of the evidence. Reports of earlier releases have none. */
  extracts: Map<string, Extract>;
  calls: ModelCall[];
  totals: ProofTotals;
  /** Of the service. */
  version: string;
}
