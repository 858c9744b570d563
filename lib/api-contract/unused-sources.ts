/** Something that was reviewed for a question of a report. */
interface Looked {
  questionId: string;
  path?: string | undefined;
  title?: string | undefined;
  url?: string | undefined;
  used: boolean;
  reason?: string | undefined;
}

interface Used {
  path: string;
  source: { url?: string | undefined };
}

export interface UnusedSource {
  name: string;
  url: string | undefined;
  reason: string;
  questionIds: string[];
}

/** Of a source that was read for another question, it tells nothing. */
const NOT_READ = /^Other (?:passages|papers) are a closer match\.$/;

/** Returns the sources that no question of a report has evidence from, each once. */
export function unusedSources(looked: readonly Looked[], evidence: readonly Used[]): UnusedSource[] {
  const used = new Set([
    ...evidence.flatMap(({ path, source }) => [path, source.url]),
    ...looked.flatMap((each) => (each.used ? [each.path, each.url, nameOf(each)] : [])),
  ]);
  const known = new Map<string, UnusedSource>();
  for (const each of looked) {
    const { path, url, reason = '', questionId } = each;
    const key = path ?? url ?? nameOf(each);
    if (used.has(key) || (url !== undefined && used.has(url))) continue;
    const before = known.get(key);
    if (before === undefined) known.set(key, { name: nameOf(each), url, reason, questionIds: [questionId] });
    else known.set(key, withLooked(before, reason, questionId));
  }
  return [...known.values()];
}

/** Files of the workspace have their path: several may have the same title. */
function nameOf({ title, path, url }: Looked): string {
  return (url === undefined && path) || title || path || url || '';
}

function withLooked(source: UnusedSource, reason: string, questionId: string): UnusedSource {
  const questionIds = [...new Set([...source.questionIds, questionId])];
  return { ...source, questionIds, ...(NOT_READ.test(source.reason) && { reason }) };
}
