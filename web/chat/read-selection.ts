import type { Passage } from './selected-passage.ts';

const MAX_TEXT = 4_000;

/** Returns undefined for a selection without text. Views of lines and pages mark them with `data-line` and `data-page`. */
export function readPassage(range: Range, selected: string, path: string): Passage | undefined {
  const page = numberAround(range.startContainer, 'page');
  const text = (page === undefined ? selected : selected.replace(/\s+/g, ' ')).trim().slice(0, MAX_TEXT);
  if (text === '') return undefined;
  const first = numberAround(range.startContainer, 'line');
  const last = numberAround(range.endContainer, 'line') ?? first;
  const lines = first === undefined || last === undefined ? undefined : ([first, last] as [number, number]);
  return { path, text, ...(page !== undefined && { page }), ...(lines && { lines }) };
}

function numberAround(node: Node, name: 'line' | 'page'): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const value = element?.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
  return value === undefined ? undefined : Number(value);
}
