import type { Report } from '../schema.ts';

export function toCslJson({ title }: Report): string {
  return title;
}
