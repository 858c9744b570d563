/** Formats a name as inline code. A backtick or a line break in the name can't end the code. */
export function asCode(name: string): string {
  const fence = fenceAround(name, 1);
  const pad = fence.length > 1 ? ' ' : '';
  return fence + pad + name.replace(/[\r\n]+/g, ' ') + pad + fence;
}

/** Returns a fence of at least so many backticks that no run of backticks in the text closes. */
export function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Characters with a meaning in Markdown, or in HTML inside it. */
const MARKDOWN = /[\\`*_{}[\]<>()#+\-.!|~&$]/g;

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, '\\$&');
}

/** Escapes prose, but leaves out escapes that have no effect there: people and searches read this text as it is. */
export function escapeProse(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, ' '))
    .replace(/(?<=\d)\\\.(?=\d)/g, '.')
    .replace(/(?<=[^\s\d\\])\\([.!])(?=\s|$)/g, '$1')
    .replace(/(?<=[\p{L}\p{N}])\\-(?=[\p{L}\p{N}])/gu, '-')
    .replace(/(?<!\\\])\\([()])/g, '$1');
}
