import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../../lib/api-contract/finding-words.ts';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { extract } from '../../../lib/formats/extract.ts';
import { findQuote } from '../../../lib/retrieval/cite/quote.ts';
import { assess, type SupportAssessment } from '../../../lib/support/assess.ts';
import type { Draft } from './drafts.ts';
import { ERROR_KINDS, type ErrorKind, type PlantedError } from './plant-errors.ts';

/** The texts of the drafts' files, as they are indexed. */
export async function readSources(drafts: Draft[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { source } of drafts) {
    texts.set(source, (await extract(readingFormat(source), await readFile(source))).text);
  }
  return texts;
}

/**
 * Returns the result of the automatic check for a sentence that cites a file: its quote, and the facts next
 * to it.
 */
function checkSentence(sentence: string, text: string): SupportAssessment {
  const place = findQuote(text, [{ start: 0, end: text.length }], sentence);
  return assess(sentence, { quotes: place === undefined ? [] : [text.slice(place.start, place.end)] });
}

export interface KindResult {
  planted: number;
  found: number;
  missed: string[];
}

export function findPlanted(planted: PlantedError[], texts: Map<string, string>): Map<ErrorKind, KindResult> {
  const results = new Map(
    ERROR_KINDS.map((kind) => [kind, { planted: 0, found: 0, missed: [] as string[] }]),
  );
  for (const { kind, source, sentence } of planted) {
    const result = results.get(kind);
    if (result === undefined) continue;
    result.planted++;
    if (checkSentence(sentence, texts.get(source) ?? '').support !== 'unjudged') result.found++;
    else result.missed.push(sentence);
  }
  return results;
}

/** Returns the true sentences that code flags. */
export function falseAlarms(drafts: Draft[], texts: Map<string, string>): string[] {
  return drafts.flatMap(({ source, sentences }) =>
    sentences.flatMap((sentence) => {
      const { support, findings } = checkSentence(sentence, texts.get(source) ?? '');
      return support === 'unjudged' ? [] : [`${sentence} (${reasonOf(support, findings)})`];
    }),
  );
}

export function tableOf(results: Map<ErrorKind, KindResult>): string {
  const rows = [...results].map(
    ([kind, { planted, found }]) => `${kind.padEnd(16)}${String(planted).padEnd(8)} ${found}`,
  );
  return ['kind            planted  found', ...rows].join('\n');
}
