/** Matches characters that have a meaning in Markdown, or in HTML inside it. */
const MARKDOWN = /[\\`*_{}[\]<>()#+\-.!|~&$]/g;

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, '\\$&');
}

/**
 * Escapes prose. Omits escapes that have no effect there, because people and searches read this text
 * directly.
 */
export function escapeProse(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, ' '))
    .replace(/(?<=\d)\\\.(?=\d)/g, '.')
    .replace(/(?<=[^\s\d\\])\\([.!])(?=\s|$)/g, '$1')
    .replace(/(?<=[\p{L}\p{N}])\\-(?=[\p{L}\p{N}])/gu, '-')
    .replace(/(?<!\\\])\\([()])/g, '$1');
}
