/** Returns twelve sentences of words from a list of 5,000, the same for the same seed. */
export function prose(seed: number): string {
  const sentence = (line: number) =>
    Array.from({ length: 10 }, (_, word) => `word${(seed * 31 + line * 97 + word * 7) % 5000}`).join(' ');
  return Array.from({ length: 12 }, (_, line) => `${sentence(line)}.`).join('\n');
}
