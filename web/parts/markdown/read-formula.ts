import katexModule from 'katex';
import { createElement, type ReactNode } from 'react';
import { inAlphabet } from './math-alphabets.ts';

/** A node in KaTeX's MathML tree. */
interface MathNode {
  type?: string;
  attributes?: Record<string, string>;
  children?: MathNode[];
  /** Set only for text. */
  text?: string;
  /** Set for a space: its character or, without one, its width. */
  character?: string;
  width?: number;
}

/** The package's types omit this function. Its other functions write HTML. */
const katex = katexModule as unknown as {
  __renderToDomTree(tex: string, options: object): MathNode;
};

const BOUNDS = { maxExpand: 300, maxSize: 10 };
/** Maximum elements, and maximum nesting depth. */
const MAX_NODES = 4_000;
const MAX_DEPTH = 100;
const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

/**
 * Allowed attributes. Those with colors are excluded, because they would hide text in one of the themes, and
 * so are styles, which the page's policy refuses.
 */
const ATTRIBUTES = new Set(
  'accent accentunder columnalign columnlines columnspacing depth display displaystyle encoding fence form height largeop linethickness lspace maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width'.split(
    ' ',
  ),
);

/**
 * Returns a formula as MathML elements. Undefined for an invalid formula, or one that is designed to be
 * expensive.
 */
export function readFormula(tex: string, isBlock: boolean): ReactNode {
  try {
    const tree = katex.__renderToDomTree(tex, {
      ...BOUNDS,
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
    });
    return new Drawing().draw(tree.children?.[0] ?? {}, 0);
  } catch {
    return undefined;
  }
}

class Drawing {
  #count = 0;

  draw(node: MathNode, depth: number, alphabet?: string): ReactNode {
    this.#count += 1;
    if (this.#count > MAX_NODES || depth > MAX_DEPTH) throw new RangeError('too large a formula');
    if (node.text !== undefined) return inAlphabet(node.text, alphabet);
    if (node.width !== undefined)
      return node.character ?? createElement('mspace', { width: `${node.width}em` });
    const { type, attributes = {}, children = [] } = node;
    const inner = attributes.mathvariant ?? alphabet;
    const drawn = children.map((child) => this.draw(child, depth + 1, inner));
    return type === undefined ? drawn : createElement(type, attributesOf(type, attributes), ...drawn);
  }
}

function attributesOf(type: string, attributes: Record<string, string>): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(attributes).filter(([name]) => ATTRIBUTES.has(name)));
  if (attributes.mathvariant !== undefined) kept.mathvariant = 'normal';
  return type === 'math' ? { ...kept, xmlns: NAMESPACE } : kept;
}
