/**
 * Removes possible credentials from a URL before it is shown. Some services take their key in the query or as
 * a login.
 */
export function redactUrl(address: string): string {
  const { origin, pathname, username, password, search, hash } = new URL(address);
  return username + password + search + hash === '' ? address : `${origin}${pathname}`;
}
