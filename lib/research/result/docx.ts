import type { Report } from '../schema.ts';

export async function toDocx({ title }: Report): Promise<Buffer> {
  return Buffer.from(title);
}
