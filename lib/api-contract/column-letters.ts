const LETTERS = 26;

/** Returns the letters of a sheet's column, counted from 1: A to Z, AA, and so on. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + ((column - 1) % LETTERS));
  return column <= LETTERS ? last : columnLetters(Math.floor((column - 1) / LETTERS)) + last;
}
