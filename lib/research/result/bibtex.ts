import type { Report } from '../schema.ts';

export function toBibtex({ title }: Report): string {
  return title;
}
