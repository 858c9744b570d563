/** An address with a name or a password before its host, or with what may become one; a port is none. Of JSON, too. */
export function holdsLogin(text: string): boolean {
  return /:\/\/[^/"]*(?:@|:(?!\d*(?:[/"]|$)))/.test(text);
}
