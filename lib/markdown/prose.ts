/** Matches a fence that isn't on its own line: in a list, in a quotation, or within a line. */
const ODD_FENCE = /^(?!`{3,}[^`\n]*$|~{3,}[^`~\n]*$).*(?:```|~~~)/m;

/** Matches fenced lines; the closing fence may be missing. */
const FENCED = /^(([`~])\2{2,})[^\n]*(?:\n(?!\1\2*[ \t]*$)[^\n]*)*(\n\1[^\n]*)?/gm;

/**
 * Applies a change to the parts of a Markdown text that aren't code, and closes an unclosed fence. Text on
 * which Markdown readers may disagree doesn't count as code.
 */
export function inProse(text: string, change: (piece: string) => string): string {
  if (ODD_FENCE.test(text)) return change(text);
  let shown = '';
  let from = 0;
  for (const { 0: code, 1: fence, 3: end, index } of text.matchAll(FENCED)) {
    shown += aroundSpans(text.slice(from, index), change) + code + (end === undefined ? `\n${fence}` : '');
    from = index + code.length;
  }
  return shown + aroundSpans(text.slice(from), change);
}

/** Inline code within one line. */
const SPAN = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g;

function aroundSpans(prose: string, change: (piece: string) => string): string {
  const paragraphs = prose.split(/(\n\s*\n)/);
  return paragraphs
    .map((paragraph) => {
      // An unpaired or escaped backtick may end what looks like inline code, or start other inline code.
      const spans = [...(paragraph.match(SPAN) ?? []), ''];
      if (paragraph.replace(SPAN, '').includes('`') || /\\`/.test(paragraph)) return change(paragraph);
      // The end of a table cell also ends inline code.
      if (spans.some((span) => span.includes('|'))) return change(paragraph);
      const pieces = paragraph.replace(SPAN, '\0').split('\0');
      return pieces.map((piece, at) => change(piece) + spans[at]).join('');
    })
    .join('');
}
