/**
 * Puts numbers in square brackets into parentheses, because in a prompt they would look like citations, or like the
 * start of another passage. An index, such as `args[2]`, stays.
 */
export function withoutBracketedNumbers(text: string): string {
  return text.replace(/(?<![\w\])])[[［【〔]\s*(\p{Nd}{1,4})\s*[\]］】〕]/gu, '($1)');
}
