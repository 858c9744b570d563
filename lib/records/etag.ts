import { createHash } from 'node:crypto';
import { Conflict, InvalidInput } from '../errors.ts';

const TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/** Returns the ETag of content that is read and replaced as a whole: equal for equal content. */
export function etagOf(content: unknown): string {
  return etagOfText(JSON.stringify(content));
}

export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Returns the tags of If-Match or If-None-Match. A compressing cache turns a tag into a weak one: this undoes it. */
export function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/** Checks the If-Match header of a change; without it any state is accepted. Throws Conflict if the content has another state. */
export function requireMatch(ifMatch: string | undefined, content: unknown): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  if (!TAGS.test(ifMatch))
    throw new InvalidInput('if-match: must be the ETag of what was read, in its quotes');
  if (!tagsOf(ifMatch).includes(etagOf(content)))
    throw new Conflict('if-match: somebody changed it since it was read: read it again');
}
