/** A name as code within a line: it may hold backticks and line breaks, and must end neither. */
export function asCode(name: string): string {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return fence + pad + name.replace(/[\r\n]+/g, ' ') + pad + fence;
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
