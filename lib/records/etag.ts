import { createHash } from 'node:crypto';
import { Conflict, InvalidInput } from '../errors.ts';

const TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/** Returns the ETag of content that is read and replaced as a whole; equal content has equal ETags. */
export function etagOf(content: unknown): string {
  return etagOfText(JSON.stringify(content));
}

export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Returns the ETags in If-Match or If-None-Match, without the weak prefix that a compressing cache adds. */
export function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/**
 * Checks the If-Match header of a change; without the header, any state is accepted. Throws Conflict if the content has
 * another state.
 */
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
