/** A name as code within a line: it may hold backticks and line breaks, and must end neither. */
export function asCode(name: string): string {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return fence + pad + name.replace(/[\r\n]+/g, ' ') + pad + fence;
}
