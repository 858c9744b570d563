/** The displayed parts of a notebook. It is untrusted data: anything malformed is left out. */
export interface NotebookCell {
  kind: 'markdown' | 'code' | 'raw';
  source: string;
  outputs: NotebookOutput[];
}
export type NotebookOutput =
  | { kind: 'text'; text: string }
  | { kind: 'error'; text: string }
  | { kind: 'image'; type: string; base64: string };

type Fields = Record<string, unknown>;

export const MAX_CELLS = 2_000;
const MAX_OUTPUTS = 100;
/** Outputs of the whole notebook: each is drawn. */
const MAX_ALL_OUTPUTS = 5_000;
const MAX_TEXT = 50_000;
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Undefined unless it is a notebook of format 4. */
export function readNotebook(json: string): NotebookCell[] | undefined {
  const cells = listOf(fieldsOf(parse(json)).cells);
  let left = MAX_ALL_OUTPUTS;
  return cells?.slice(0, MAX_CELLS).map((cell) => {
    const read = readCell(fieldsOf(cell));
    const outputs = read.outputs.slice(0, left);
    left -= outputs.length;
    return { ...read, outputs };
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readCell({ cell_type: type, source, outputs }: Fields): NotebookCell {
  return {
    kind: type === 'markdown' || type === 'code' ? type : 'raw',
    source: textOf(source),
    outputs: (listOf(outputs) ?? []).slice(0, MAX_OUTPUTS).flatMap((output) => readOutput(fieldsOf(output))),
  };
}

function readOutput(output: Fields): NotebookOutput[] {
  if (output.output_type === 'error') return [{ kind: 'error', text: withoutColors(errorText(output)) }];
  const data = fieldsOf(output.data);
  const image = IMAGES.find((type) => typeof data[type] === 'string' || Array.isArray(data[type]));
  if (image !== undefined) return [{ kind: 'image', type: image, base64: joined(data[image]) }];
  const text = withoutColors(textOf(output.text ?? data['text/plain']));
  return text === '' ? [] : [{ kind: 'text', text }];
}

function errorText({ ename, evalue, traceback }: Fields): string {
  const lines = listOf(traceback)?.filter((line) => typeof line === 'string') ?? [];
  return lines.length > 0 ? lines.join('\n').slice(0, MAX_TEXT) : `${textOf(ename)}: ${textOf(evalue)}`;
}

/** A text, or its lines. */
function textOf(value: unknown): string {
  return joined(value).slice(0, MAX_TEXT);
}

function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return (listOf(value) ?? []).filter((line) => typeof line === 'string').join('');
}

function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colors begin with one
  return text.replace(/\u001B\[[\d;]*[A-Za-z]/g, '');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
