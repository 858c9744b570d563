import type { FilePart } from '../ports/file-part.ts';

/** A part for people and models: `page 3`. Empty where there is none. */
export function partWords({ page }: FilePart): string {
  return page === undefined ? '' : `page ${page}`;
}
