/**
 * Normalizes pasted text to the intended value, with one function per kind of field. Clean text stays
 * unchanged. So does any text that a function doesn't recognize: the field's check then lists the accepted
 * values.
 */

/**
 * Invisible characters that are copied along from web pages: byte order marks, zero-width spaces, and
 * direction marks.
 */
const UNSEEN = /[\u200b-\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
const QUOTED = /^(["'`])(.*)\1$|^[“„«‘](.*)[”“»’]$|^<([^<>]*)>$/s;

/**
 * Normalizes a machine-readable word: removes surrounding whitespace and quotes, and converts full-width characters to
 * ASCII.
 */
export function pastedWord(text: string): string {
  const shown = text.replace(UNSEEN, '').trim();
  const [, , plain, curly, angle] = QUOTED.exec(shown) ?? [];
  const inner = (plain ?? curly ?? angle ?? shown).trim();
  return inner.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/**
 * Normalizes a key or token, without the header (`Authorization: Bearer`) or the variable (`export API_KEY=`) that was
 * copied with it.
 */
export function pastedKey(text: string): string {
  const word = pastedWord(text)
    .replace(/^(?:export\s+)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\s*=\s*(?=[^=\s])/, '')
    .replace(/^[\w-]+:\s+/, '')
    .replace(/^bearer\s+/i, '');
  return pastedWord(word);
}

/**
 * Normalizes a date that starts with the year, in any notation, to `2026-01-31`. If the year comes last, day and month
 * are ambiguous.
 */
export function pastedDay(text: string): string {
  const word = pastedWord(text);
  const [, year, month = '', day = ''] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(word) ?? [];
  return year === undefined ? word : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Normalizes the URL of a web page or service: `example.org/a` gets https. */
export function pastedUrl(text: string): string {
  const word = pastedWord(text);
  return /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?([/?#].*)?$/i.test(word) ? `https://${word}` : word;
}

/**
 * A path that the service itself adds to a base URL, with the query that an example may have. A single word
 * belongs to the base URL.
 */
const OPERATION =
  /(?:\/chat\/completions|(?<=[^/]\/[^/].*)\/(?:completions|responses|embeddings|messages|models|rerank))\/?(\?.*)?$/;

/**
 * Normalizes the base URL of an API, which may be pasted as the URL of an operation. `localhost:11434` gets
 * http.
 */
export function pastedBaseUrl(text: string): string {
  const url = pastedUrl(text).replace(OPERATION, '');
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(url) ? `http://${url}` : url;
}

/** Returns `owner/name` of a hub's repository, from its name, its page, a file's page, or a clone command. */
export function pastedRepositoryId(text: string): string {
  const word = pastedWord(text).replace(/^git\s+clone\s+/, '');
  const path = word.replace(/^(?:[a-z]+:\/\/[^/]+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?=\/[^/]+\/))\//i, '');
  const isPage = path !== word;
  const parts = (path.split(/[?#]/, 1)[0] ?? '').split('/').filter((part) => part !== '');
  const hasKind = /^(datasets|models|spaces)$/.test(parts[0] ?? '') && parts.length > (isPage ? 1 : 2);
  const named = hasKind ? parts.slice(1) : parts;
  if (!isPage && named.length > 2) return word;
  const isAlone = /^(tree|blob|resolve)$/.test(named[1] ?? '');
  return named
    .slice(0, isAlone ? 1 : 2)
    .join('/')
    .replace(/\.git$/, '');
}

/**
 * Returns the https URL of a Git repository, from its SSH URL, its page, a folder's page, or a clone command.
 */
export function pastedGitUrl(text: string): string {
  const url = pastedUrl(
    pastedWord(text)
      .replace(/^git\s+clone\s+/, '')
      .replace(/^(?:git\+)?ssh:\/\/(?:[\w.-]+@)?([^/:]+)(?::\d+)?\//, 'https://$1/')
      .replace(/^[\w.-]+@([\w.-]+):(?!\/\/)\/?/, 'https://$1/')
      .replace(/^git(?:\+https)?:\/\//, 'https://'),
  );
  const page =
    /^(https:\/\/[^/?#]+(?:\/[^/?#]+){2,}?)(?:\/-)?\/(?:tree|blob)\/|^(https:\/\/[^/?#]+\/[^/?#]+\/[^?#]+)[?#]/;
  const [, folder, bare] = page.exec(url) ?? [];
  return folder ?? bare ?? url;
}

/**
 * Returns false for a path of another system, a shell, or a browser. On the host, it would be a strange name.
 */
export function isPathHere(path: string): boolean {
  return !/^\s*(["']?(~|[A-Za-z]:[\\/]|file:)|["']\/)/.test(path);
}

export const NO_PATH_HERE =
  'must be a path of the host that runs the service, without ~, quotes, a drive letter, or file:';
