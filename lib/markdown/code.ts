/** A name as code within a line: it may hold backticks and line breaks, and must end neither. */
export function asCode(name: string): string {
  const fence = fenceAround(name, 1);
  const pad = fence.length > 1 ? ' ' : '';
  return fence + pad + name.replace(/[\r\n]+/g, ' ') + pad + fence;
}

/** Backticks that no run of backticks in the text ends, so many at least. */
export function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** What means something in Markdown, or in the HTML that it may hold. */
const MARKDOWN = /[\\`*_{}[\]<>()#+\-.!|~&$]/g;

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, '\\$&');
}

/** The same for prose, which people and searches read as it is: without the escapes that mean nothing there. */
export function escapeProse(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, ' '))
    .replace(/(?<=\d)\\\.(?=\d)/g, '.')
    .replace(/(?<=[^\s\d\\])\\([.!])(?=\s|$)/g, '$1')
    .replace(/(?<=[\p{L}\p{N}])\\-(?=[\p{L}\p{N}])/gu, '-')
    .replace(/(?<!\\\])\\([()])/g, '$1');
}
