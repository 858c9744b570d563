import { conflictingPairs, describeSource, fileKey, publicationUrl } from './report-places.ts';
import type { Schemas } from './schema.ts';

/** A source that a report reviewed for a question. */
interface Looked {
  questionId: string;
  workspaceId?: string | undefined;
  path?: string | undefined;
  title?: string | undefined;
  url?: string | undefined;
  used: boolean;
  reason?: string | undefined;
}

type Used = Pick<
  Schemas['ResearchEvidence'],
  'id' | 'questionId' | 'workspaceId' | 'path' | 'source' | 'supports' | 'contradicts'
>;

interface Reviewed {
  looked?: readonly Looked[] | undefined;
  evidence: readonly Used[];
  /** Undefined while the sections are being written. */
  sections: readonly { paragraphs: { evidence: string[] }[][] }[] | undefined;
}

export interface UnusedSource {
  name: string;
  url: string | undefined;
  /** Empty for a source with an uncited quote. */
  reason: string;
  hasQuote: boolean;
  questionIds: string[];
}

/** Matches a reason that says nothing about the source itself, which was read for another question. */
const NOT_READ = /^Other (?:passages|papers) are a closer match\.$/;

/** Returns the sources that a report read but doesn't cite, each once. */
export function unusedSources({ looked = [], evidence, sections }: Reviewed): UnusedSource[] {
  const uncited = sections === undefined ? [] : withoutCitation(evidence, sections);
  return [...uncited, ...withoutQuote(looked, evidence)];
}

/** Returns sources with uncited quotes, so that readers see that the report read them. */
function withoutCitation(
  evidence: readonly Used[],
  sections: NonNullable<Reviewed['sections']>,
): UnusedSource[] {
  const inText = sections.flatMap(({ paragraphs }) => paragraphs.flat().flatMap((each) => each.evidence));
  const named = new Set([
    ...inText,
    ...conflictingPairs(evidence).flatMap((pair) => pair.map(({ id }) => id)),
  ]);
  const cited = new Set(evidence.flatMap((each) => (named.has(each.id) ? [fileKey(each)] : [])));
  const known = new Map<string, UnusedSource>();
  for (const { path, source, questionId, workspaceId } of evidence) {
    const key = fileKey({ workspaceId, path });
    if (cited.has(key)) continue;
    const url = publicationUrl(source) ?? source.url;
    const name = url === undefined ? path : describeSource(source, path);
    const before = known.get(key)?.questionIds ?? [];
    const questionIds = [...new Set([...before, questionId])];
    known.set(key, { name, url, reason: '', hasQuote: true, questionIds });
  }
  return [...known.values()];
}

/** Sources from which a report has no evidence for any question. */
function withoutQuote(looked: readonly Looked[], evidence: readonly Used[]): UnusedSource[] {
  const used = new Set([
    ...evidence.flatMap(({ source, ...file }) => [fileKey(file), source.url]),
    ...looked.flatMap((each) => (each.used ? [pathKey(each), each.url, nameOf(each)] : [])),
  ]);
  const known = new Map<string, UnusedSource>();
  for (const each of looked) {
    const { url, reason = '', questionId } = each;
    const key = pathKey(each) ?? url ?? nameOf(each);
    if (used.has(key) || (url !== undefined && used.has(url))) continue;
    const before = known.get(key);
    const first = { name: nameOf(each), url, reason, hasQuote: false, questionIds: [questionId] };
    known.set(key, before === undefined ? first : withLooked(before, reason, questionId));
  }
  return [...known.values()];
}

function pathKey({ workspaceId, path }: Looked): string | undefined {
  return path === undefined ? undefined : fileKey({ workspaceId, path });
}

/** Returns the name of a source. Files of the workspace appear by path, because several may have the same title. */
function nameOf({ title, path, url }: Looked): string {
  return (url === undefined && path) || title || path || url || '';
}

function withLooked(source: UnusedSource, reason: string, questionId: string): UnusedSource {
  const questionIds = [...new Set([...source.questionIds, questionId])];
  return { ...source, questionIds, ...(NOT_READ.test(source.reason) && { reason }) };
}
