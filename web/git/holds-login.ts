/**
 * Returns whether a URL has a user name or password before its host, or text that may become one. A port
 * isn't a password. Also works for JSON.
 */
export function holdsLogin(text: string): boolean {
  return /:\/\/[^/"]*(?:@|:(?!\d*(?:[/"]|$)))/.test(text);
}
