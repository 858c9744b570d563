import {
  type NotebookCell as Cell,
  notebookCells,
  type NotebookOutput as Output,
} from '../../../lib/api-contract/notebook-cells.ts';

/** The displayed parts of a notebook. */
export interface NotebookCell extends Pick<Cell, 'kind' | 'source'> {
  outputs: NotebookOutput[];
}
export type NotebookOutput =
  | { kind: 'text' | 'error'; text: string }
  | { kind: 'image'; type: string; base64: string };

export const MAX_CELLS = 2_000;
const MAX_OUTPUTS = 100;
/** Maximum outputs of the whole notebook, because each becomes an element. */
const MAX_ALL_OUTPUTS = 5_000;
const MAX_TEXT = 50_000;

/** Returns the displayed parts of a notebook; undefined for anything else. */
export function readNotebook(json: string): NotebookCell[] | undefined {
  let left = MAX_ALL_OUTPUTS;
  return notebookCells(json)
    ?.slice(0, MAX_CELLS)
    .map(({ kind, source, outputs }) => {
      const shown = outputs.slice(0, MAX_OUTPUTS).flatMap(showOutput).slice(0, left);
      left -= shown.length;
      return { kind, source: source.slice(0, MAX_TEXT), outputs: shown };
    });
}

function showOutput({ text = '', error, image }: Output): NotebookOutput[] {
  if (error !== undefined)
    return [{ kind: 'error', text: (error.traceback || error.message).slice(0, MAX_TEXT) }];
  if (image !== undefined) return [{ kind: 'image', ...image }];
  return text === '' ? [] : [{ kind: 'text', text: text.slice(0, MAX_TEXT) }];
}

/** Returns the language of a notebook's code from its metadata; by default Python, as in almost all notebooks. */
export function notebookLanguage(json: string): string {
  const { metadata } = tryParse(json);
  const named = [metadata?.language_info?.name, metadata?.kernelspec?.language];
  return named.find((name) => typeof name === 'string') ?? 'python';
}

interface Described {
  metadata?: { language_info?: { name?: string }; kernelspec?: { language?: string } } | null;
}

function tryParse(json: string): Described {
  try {
    return (JSON.parse(json) as Described | null) ?? {};
  } catch {
    return {};
  }
}
