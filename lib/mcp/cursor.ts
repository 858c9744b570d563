import { invalidCursor } from '../records/cursor.ts';

/** Where a list across several workspaces continues: the workspace, and the position within it. */
export type ListPlace = [before: string | undefined, within: string | undefined];

export function makeListCursor(place: ListPlace): string {
  return Buffer.from(JSON.stringify(place.map((part) => part ?? null))).toString('base64url');
}

/** Reads a cursor. Throws InvalidInput for text that isn't a cursor of this service. */
export function readListCursor(cursor: string | undefined): ListPlace {
  if (cursor === undefined) return [undefined, undefined];
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts) && parts.length === 2 && parts.every(isPart))
      return [parts[0] ?? undefined, parts[1] ?? undefined];
  } catch {
    // the cursor is invalid, and rejected below
  }
  throw invalidCursor();
}

function isPart(part: unknown): part is string | null {
  return part === null || typeof part === 'string';
}
