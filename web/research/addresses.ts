import { pastedUrl } from '../../lib/api-contract/pasted.ts';

/** The API's maximum number of URLs. */
const MAX_ADDRESSES = 20;
const MAX_LENGTH = 2000;

/** Returns the valid URLs of pages, one per line, and the invalid lines. */
export function readAddresses(text: string): { addresses: string[]; wrong: string[] } {
  const lines = text
    .split('\n')
    .map((line) => pastedUrl(line))
    .filter((line) => line !== '');
  const isRight = (line: string, at: number) =>
    at < MAX_ADDRESSES && line.length <= MAX_LENGTH && /^https:\/\//.test(line) && URL.canParse(line);
  return {
    addresses: lines.filter(isRight),
    wrong: lines.filter((line, at) => !isRight(line, at)),
  };
}
