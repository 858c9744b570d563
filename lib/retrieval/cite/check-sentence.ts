import type { CitationCheck } from '../../api-contract/citation.ts';
import { type Finding, lacksFact } from '../../api-contract/findings.ts';
import type { TextRun } from '../../formats/format.ts';
import type { Passage } from '../../ports/vectors.ts';
import { assess, type SupportAssessment } from '../../support/assess.ts';
import type { WordsAround } from '../../support/rules/takes-back.ts';
import type { ClaimPlace } from './find-place.ts';
import { findElsewhere } from './pieces.ts';
import { quotationsIn } from './quoted-words.ts';
import type { QuotableFile } from './sources.ts';
import { stretchesAround } from './stretches-around.ts';
import { linesAround, withTableHeader } from './table-header.ts';
import { wordsAround } from './words-around.ts';

/** A sentence with all its quotes. */
export interface AssessedSentence extends SupportAssessment {
  /** Each quote once; a row of a table with its header. */
  quotes: string[];
  /** The words around each quote. */
  around: WordsAround[];
}

/**
 * Assesses a sentence by the places in its cited files that support it. With an invented quotation, it is
 * `partial` at best.
 */
export function checkSentence(
  claim: string,
  places: (ClaimPlace & { path: string })[],
  offered: Passage[],
): AssessedSentence {
  const quoted = places.flatMap(({ headings, source, run }) =>
    source && run ? [{ headings, source, run }] : [],
  );
  const byQuote = new Map(
    quoted.map(({ headings, source, run }) => [
      withTableHeader(source, run),
      wordsAround(source, run, headings),
    ]),
  );
  const [quotes, around] = [[...byQuote.keys()], [...byQuote.values()]];
  const stretches = places.flatMap(({ source, passage, run = passage }) =>
    source && run && !isRow(source, run) ? stretchesAround(source, run) : [],
  );
  const near = quoted.map(({ source, run }) => linesAround(source, run));
  const assessed = withQuotations(claim, places, assess(claim, { quotes, around, stretches, near }));
  const findings = assessed.findings.map((finding): Finding => {
    const where = lacksFact(finding) ? findElsewhere(finding.own, places, offered) : undefined;
    return where === undefined ? finding : { ...finding, where };
  });
  return { ...assessed, findings, quotes, around };
}

/**
 * Returns whether a stretch of text is a row of a table. The numbers in other rows are about other things.
 */
function isRow(source: QuotableFile, run: TextRun): boolean {
  const part = source.partAt(run);
  return (
    part?.rows !== undefined || part?.of !== undefined || source.text.slice(run.start, run.end).includes('|')
  );
}

const MAX_DETAIL = 200;

function withQuotations(claim: string, places: ClaimPlace[], assessed: SupportAssessment): SupportAssessment {
  const quotations = quotationsIn(claim);
  if (quotations.length === 0) return assessed;
  const lacking = quotations.filter((words) => !places.some(({ found }) => found.has(words)));
  const detail = lacking.join('; ').slice(0, MAX_DETAIL).toWellFormed();
  const ok = lacking.length === 0;
  const checks: CitationCheck[] = [...assessed.checks, { kind: 'quote', ok, ...(!ok && { detail }) }];
  const invented = lacking.map((own): Finding => ({ rule: 'quotation_missing', own }));
  const findings = [...invented, ...assessed.findings];
  if (ok || assessed.support !== 'unjudged') return { ...assessed, findings, checks };
  return { ...assessed, checks, findings, support: 'partial' };
}
