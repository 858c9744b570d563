import { stripSequences } from './terminal-sequences.ts';

export interface NotebookCell {
  kind: 'markdown' | 'code' | 'raw';
  source: string;
  outputs: NotebookOutput[];
}

/** Texts have no terminal sequences. If a text is missing or malformed, it's undefined or empty. */
export interface NotebookOutput {
  text?: string;
  markdown?: string;
  error?: { message: string; traceback: string };
  image?: { type: string; base64: string };
}

type Fields = Record<string, unknown>;

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Returns the cells of a notebook, even malformed ones; undefined for JSON that isn't a notebook, and for other text.
 */
export function notebookCells(json: string): NotebookCell[] | undefined {
  const { cells, worksheets } = fieldsOf(parse(json.replace(/^\ufeff/, '')));
  // Notebooks before 2015 have worksheets.
  const all = listOf(cells) ?? listOf(worksheets)?.flatMap((sheet) => listOf(fieldsOf(sheet).cells) ?? []);
  return all?.map((cell) => readCell(fieldsOf(cell)));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Before 2015, the field of a cell's source was `input`. */
function readCell({ cell_type: type, source, input, outputs }: Fields): NotebookCell {
  return {
    kind: type === 'markdown' || type === 'code' ? type : 'raw',
    source: textOf(source ?? input) ?? '',
    outputs: (listOf(outputs) ?? []).map((output) => readOutput(fieldsOf(output))),
  };
}

function readOutput({ text, data, ename, evalue, traceback }: Fields): NotebookOutput {
  const media = fieldsOf(data);
  const plain = shownText(text ?? media['text/plain']);
  const markdown = shownText(media['text/markdown']);
  const lines = stringsOf(traceback);
  const type = IMAGES.find((name) => textOf(media[name]));
  return {
    ...(plain !== undefined && { text: plain }),
    ...(markdown !== undefined && { markdown }),
    ...((typeof ename === 'string' || lines.length > 0) && {
      error: {
        message: stripSequences(`${textOf(ename) ?? ''}: ${textOf(evalue) ?? ''}`),
        traceback: stripSequences(lines.join('\n')),
      },
    }),
    ...(type !== undefined && { image: { type, base64: textOf(media[type]) ?? '' } }),
  };
}

function shownText(value: unknown): string | undefined {
  const text = textOf(value);
  return text && stripSequences(text);
}

/** Returns a text that is stored as a whole or as lines; undefined for anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? stringsOf(value).join('') : undefined;
}

function stringsOf(value: unknown): string[] {
  return (listOf(value) ?? []).filter((line) => typeof line === 'string');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
