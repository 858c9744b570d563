import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextRun } from '../../../lib/formats/format.ts';
import { csvRows } from './csv-rows.ts';

/** A claim with the document that it cites. */
export interface LocatedClaim {
  claim: string;
  text: string;
  /** The document's sentences as the collection splits them. */
  sentences: TextRun[];
  /** Sets of sentences, each of which is sufficient evidence. */
  gold: number[][];
}

export type WiceLabel = 'supported' | 'partially_supported' | 'not_supported';

export interface WiceClaim {
  label: WiceLabel;
  claim: string;
  evidence: string[];
  supporting_sentences: number[][];
}

/** A part of a claim that its evidence supports in part. */
export interface WiceTokens extends WiceClaim {
  claim_tokens: string[];
  non_supported_spans: boolean[];
}

export function readWice(folder: string, part: string): Promise<WiceClaim[]> {
  return readLines(join(folder, 'data/entailment_retrieval/claim', `${part}.jsonl`));
}

export function readWiceTokens(folder: string, part: string): Promise<WiceTokens[]> {
  return readLines(join(folder, 'data/non_supported_tokens', `${part}.jsonl`));
}

async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}

/**
 * Returns the claims of WiCE that have evidence. A web page's sentences are lines, and it's unknown which of
 * them are headings.
 */
export function locatedInWice(claims: WiceClaim[]): LocatedClaim[] {
  return claims
    .filter(({ label }) => label !== 'not_supported')
    .map(({ claim, evidence, supporting_sentences: gold }) => ({ claim, gold, ...joined(evidence, '\n') }));
}

/**
 * Returns the claims of SciFact that have rationales, and the abstracts that they cite. A row contains one
 * rationale of its claim.
 */
export async function locatedInScifact(folder: string, part: string): Promise<LocatedClaim[]> {
  const corpus = await readFile(join(folder, 'corpus_train.csv'), 'utf8');
  const abstracts = new Map([...csvRows(corpus)].map(({ doc_id: id, abstract = '' }) => [id, abstract]));
  const located = new Map<string, LocatedClaim>();
  for (const row of csvRows(await readFile(join(folder, `claims_${part}.csv`), 'utf8'))) {
    const { claim = '', evidence_doc_id: id = '', evidence_label: label, evidence_sentences: set = '' } = row;
    if (label === '') continue;
    const key = `${id} ${claim}`;
    const known = located.get(key) ?? { claim, gold: [], ...joined(listItems(abstracts.get(id) ?? ''), ' ') };
    known.gold.push((set.match(/\d+/g) ?? []).map(Number));
    located.set(key, known);
  }
  return [...located.values()];
}

/** Returns the strings of a printed list: `['one' "it's two"]`. */
function listItems(printed: string): string[] {
  return [...printed.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)].map(([, single, double]) =>
    (single ?? double ?? '').replace(/\\n/g, ' ').replace(/\\(.)/g, '$1'),
  );
}

function joined(sentences: string[], between: string): Pick<LocatedClaim, 'text' | 'sentences'> {
  const places: TextRun[] = [];
  let at = 0;
  for (const { length } of sentences) {
    places.push({ start: at, end: at + length });
    at += length + between.length;
  }
  return { text: sentences.join(between), sentences: places };
}
