/** The most that the API takes. */
const MAX_ADDRESSES = 20;
const MAX_LENGTH = 2000;

/** Addresses of pages, one a line: those that can be read, and the lines that name none. */
export function readAddresses(text: string): { addresses: string[]; wrong: string[] } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isRight = (line: string, at: number) =>
    at < MAX_ADDRESSES && line.length <= MAX_LENGTH && /^https:\/\//.test(line) && URL.canParse(line);
  return {
    addresses: lines.filter(isRight),
    wrong: lines.filter((line, at) => !isRight(line, at)),
  };
}
