import { renumberMarkers } from '../api-contract/markers.ts';

/**
 * Removes an answer's citation markers, because the numbers mean other passages in another answer. Keeps other
 * brackets, which may be an index or a year.
 */
export function withoutCitations(text: string, parts: readonly { type: string; data?: unknown }[]): string {
  const cited = new Set(parts.flatMap(({ type, data }) => (type === 'data-citation' ? [indexOf(data)] : [])));
  if (cited.size === 0) return text;
  return renumberMarkers(text, (number) => (cited.has(number) ? undefined : number));
}

function indexOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'index' in data ? data.index : undefined;
}
