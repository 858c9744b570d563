import { createHash } from 'node:crypto';
import { storeEntries } from '../formats/office/replace-entries.ts';
import type { RatedPassage, ShownFeedback } from './schema.ts';

/**
 * Returns a ZIP file with a collection in BEIR's form in the folder `feedback`, for `npm run eval -- --beir`: the cited
 * passages as documents, the questions, and which passages a good answer cited (1) or another one (0). `feedback.jsonl`
 * also has the ratings. Feedback whose question is not shared is omitted. Equal feedback gives equal bytes.
 */
export function toCollection(all: readonly ShownFeedback[]): Buffer {
  const rated = all.flatMap((each) => (each.shared === null ? [] : [{ ...each, shared: each.shared }]));
  const passages = new Map(
    rated.flatMap(({ shared }) => quotedIn(shared.passages).map((passage) => [documentId(passage), passage])),
  );
  const documents = [...passages].map(([_id, { path, title = path, quote }]) => ({
    _id,
    title,
    text: quote,
  }));
  const queries = rated.map(({ id, shared }) => ({ _id: id, text: shared.question }));
  const judgments = rated.flatMap(({ id, rating, shared }) =>
    [...new Set(quotedIn(shared.passages).map(documentId))].map(
      (document) => `${id}\t${document}\t${rating === 'up' ? 1 : 0}`,
    ),
  );
  const files = {
    'corpus.jsonl': toLines(documents),
    'queries.jsonl': toLines(queries),
    'qrels/test.tsv': ['query-id\tcorpus-id\tscore', ...judgments, ''].join('\n'),
    'feedback.jsonl': toLines(rated),
  };
  const entries = Object.entries(files).map(
    ([name, text]) => [`feedback/${name}`, Buffer.from(text)] as const,
  );
  return Buffer.from(storeEntries(new Map(entries)));
}

function quotedIn(passages: readonly RatedPassage[]): RatedPassage[] {
  return passages.filter(({ quote }) => quote !== '');
}

/** The same passage of a file is one document for all answers. */
function documentId({ workspaceId, path, quote }: RatedPassage): string {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, path, quote]))
    .digest('hex')
    .slice(0, 32);
}

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
