import type { Report } from '../schema.ts';

export function toHtml({ title }: Report): string {
  return title;
}
