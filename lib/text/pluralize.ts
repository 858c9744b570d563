/** Returns `1 question` or `2 questions`. */
export function pluralize(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
