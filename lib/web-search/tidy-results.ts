import type { WebResult } from '../ports/web-search.ts';
import { beginning } from '../text/cut-text.ts';

const MAX_URL = 2000;
const MAX_TITLE = 300;

/**
 * Returns results whose pages may be read: HTTPS URLs in their normal form, each once. A provider's texts are untrusted,
 * so titles are one line of limited length.
 */
export function tidyResults(results: WebResult[], limit: number): WebResult[] {
  const tidied = results.flatMap(({ url, title }) => {
    const address = pageAddress(url);
    return address === undefined ? [] : [{ url: address, title: plainTitle(title) || address }];
  });
  return [...new Map(tidied.map((result) => [result.url, result])).values()].slice(0, limit);
}

function pageAddress(text: string): string | undefined {
  const url = text.length > MAX_URL ? null : URL.parse(text);
  if (url?.protocol !== 'https:' || url.username + url.password !== '' || url.port !== '') return undefined;
  url.hash = '';
  return url.href.length > MAX_URL ? undefined : url.href;
}

/** Removes control and direction characters, which could make a title look like another text. */
function plainTitle(title: string): string {
  return beginning(
    title
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
    MAX_TITLE,
  );
}
