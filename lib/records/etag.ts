import { createHash } from 'node:crypto';
import { Conflict, InvalidInput } from '../errors.ts';

const TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/** Names a state of what is read and replaced as a whole, as the header ETag does: the same for the same content. */
export function etagOf(content: unknown): string {
  return etagOfText(JSON.stringify(content));
}

export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** What If-Match or If-None-Match names. On its way through a cache that compresses a tag becomes a weak one: as it was. */
export function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/** What a change is meant for, by the header If-Match; without it for whatever is there. Throws Conflict where another state is. */
export function requireMatch(ifMatch: string | undefined, content: unknown): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  if (!TAGS.test(ifMatch))
    throw new InvalidInput(
      'invalid_value',
      'if-match must be the quoted ETag of the version that you read.',
      {
        field: 'if-match',
      },
    );
  if (!tagsOf(ifMatch).includes(etagOf(content)))
    throw new Conflict(
      'changed_since_read',
      'This was changed since you read it. Read it again, then repeat your change.',
      { field: 'if-match' },
    );
}
