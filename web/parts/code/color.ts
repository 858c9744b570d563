import { common, createLowlight } from 'lowlight';
import type { Token } from './token.ts';

const lowlight = createLowlight(common);

type Root = ReturnType<typeof lowlight.highlight>;

/** Maps token kinds of highlight.js to the few styles that web/theme.css has for code. */
const KINDS: Record<string, string> = {
  keyword: 'keyword',
  built_in: 'keyword',
  type: 'keyword',
  literal: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  deletion: 'comment',
  number: 'number',
  symbol: 'number',
  attr: 'number',
  attribute: 'number',
  title: 'title',
  section: 'title',
};

/** Returns the colored tokens of each line. */
export function colorLines(text: string, language: string): Token[][] {
  const lines: Token[][] = [[]];
  const add = (node: Root | Root['children'][number], kind: string | undefined): void => {
    if (node.type === 'text') addText(lines, node.value, kind);
    if (!('children' in node)) return;
    const own = node.type === 'element' ? kindOf(node.properties.className) : undefined;
    for (const child of node.children) add(child, own ?? kind);
  };
  add(lowlight.highlight(language, text), undefined);
  return lines;
}

function kindOf(names: unknown): string | undefined {
  const [first] = Array.isArray(names) ? names : [];
  return KINDS[String(first).replace('hljs-', '')];
}

function addText(lines: Token[][], text: string, kind: string | undefined): void {
  for (const [place, part] of text.split('\n').entries()) {
    if (place > 0) lines.push([]);
    if (part !== '') lines.at(-1)?.push({ text: part, ...(kind !== undefined && { kind }) });
  }
}
