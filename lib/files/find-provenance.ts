import { locate } from '../datasets/links/mounts.ts';
import { type ShownProvenance, shownProvenance } from '../documents/provenance.ts';
import type { ErrorCode } from '../error-codes.ts';
import { NotFound } from '../errors.ts';
import { openInside } from '../paths/confine.ts';
import { hashOfFile } from '../paths/hash.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';

export const PROVENANCE_ERRORS = ['provenance_not_found'] as const satisfies ErrorCode[];

/** Returns where the present contents of a file came from. Throws NotFound. */
export async function findProvenance(
  records: Records,
  workspace: Workspace,
  asked: string,
): Promise<ShownProvenance> {
  const { root, path } = await locate(records, workspace, asked);
  await using handle = await openInside(root, path);
  const found = await shownProvenance(records, workspace.id, await hashOfFile(handle));
  if (found !== undefined) return found;
  throw new NotFound('provenance_not_found', 'No source is known for the contents of this file.');
}
