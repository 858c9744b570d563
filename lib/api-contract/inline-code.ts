/** Formats a name as inline code. A backtick or a line break in the name can't end the code. */
export function asCode(name: string): string {
  const fence = fenceAround(name, 1);
  const pad = fence.length > 1 ? ' ' : '';
  return fence + pad + name.replace(/[\r\n]+/g, ' ') + pad + fence;
}

/** Returns a fence of at least this many backticks. The text has no run of backticks that would close it. */
export function fenceAround(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(least, longest + 1));
}
