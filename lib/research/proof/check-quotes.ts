import { lineAt, lineStarts } from '../../formats/lines.ts';
import { digest } from './digest.ts';
import { type ProofCheck, type ProofContents, result } from './proof-check.ts';
import type { ProofQuote } from './schema.ts';

/** Checks that each quote is literally in its passage, at its place. */
export function checkProofQuotes({ files, quotes }: ProofContents): ProofCheck[] {
  const withExtract = quotes.filter(({ extract }) => extract !== null);
  const found = quotes.map((quote) => [...hashProblems(quote), ...placeProblems(files, quote)]);
  const problems = found.flat();
  const right = quotes.filter(({ extract }, at) => extract !== null && found[at]?.length === 0).length;
  const where = `of ${quotes.length} quotes are in the passages of the proof, exactly, at their lines.`;
  const about = { passed: `${withExtract.length} ${where}`, failed: `Only ${right} ${where}` };
  const missing = quotes.filter(({ extract }) => extract === null).map(({ id }) => id);
  if (missing.length === 0) return [result('quotes', about, problems)];
  return [
    result('quotes', about, problems),
    {
      ...{ name: 'quotes', state: 'not_checked', problems: [] },
      about: `The proof has no passage for ${missing.length} of its quotes (${missing.slice(0, 10).join(', ')}): their files were changed before the report was finished, or an earlier release wrote it.`,
    },
  ];
}

function hashProblems({ id, quote, quoteSha256, extract, fileSha256 }: ProofQuote): string[] {
  return [
    ...(digest(quote) === quoteSha256 ? [] : [`The text of quote ${id} doesn't have its hash.`]),
    ...((extract === null) === (fileSha256 === null)
      ? []
      : [`Quote ${id} has a passage or a file hash, but not both.`]),
  ];
}

function placeProblems(
  files: Map<string, Buffer>,
  { id, quote, startLine, endLine, extract }: ProofQuote,
): string[] {
  if (extract === null) return [];
  const { file, sha256, firstLine, start } = extract;
  const content = files.get(file);
  if (content === undefined) return [`The passage of quote ${id}, ${file}, is missing.`];
  if (digest(content) !== sha256) return [`The passage of quote ${id} doesn't have its hash.`];
  const text = content.toString();
  if (quote === '' || text.slice(start, start + quote.length) !== quote)
    return [`Quote ${id} isn't in its passage.`];
  const lines = lineStarts(text);
  const [first, last] = [start, start + quote.length - 1].map((at) => lineAt(lines, at) + firstLine - 1);
  if (first === startLine && last === endLine) return [];
  return [`Quote ${id} is in lines ${first} to ${last}, and not in lines ${startLine} to ${endLine}.`];
}
