export interface Dropped {
  /** The path relative to the target folder. */
  path: string;
  file: File;
}

/** The file of an upload, and its state in the service. The file's bytes are lost with the page. */
export interface InterruptedUpload {
  path: string;
  size: number;
  lastModified: number;
  /** Set for a large upload that has started. */
  uploadId?: string | undefined;
}

export interface ResumedUpload extends Dropped {
  uploadId?: string | undefined;
}

const prefixOf = (workspaceId: string) => `upload:${workspaceId}:`;

/**
 * Stores an upload for this tab until it has ended, as drafts are stored. If the storage is full, the upload
 * continues anyway.
 */
export function keepUpload(workspaceId: string, { path, file, uploadId }: ResumedUpload): void {
  const { size, lastModified } = file;
  try {
    const kept = JSON.stringify({ size, lastModified, uploadId });
    sessionStorage.setItem(prefixOf(workspaceId) + path, kept);
  } catch {}
}

export function dropUpload(workspaceId: string, path: string): void {
  sessionStorage.removeItem(prefixOf(workspaceId) + path);
}

export function readInterrupted(workspaceId: string): InterruptedUpload[] {
  const prefix = prefixOf(workspaceId);
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  return keys.flatMap((key) => {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Omit<InterruptedUpload, 'path'> | null;
    return kept === null ? [] : [{ ...kept, path: key.slice(prefix.length) }];
  });
}

/**
 * Matches newly chosen files with their interrupted uploads, which continue at their original path. A file
 * that was in a folder then may be chosen alone now. `rest` has the other files.
 */
export function findAgain(
  chosen: readonly Dropped[],
  cutOff: readonly InterruptedUpload[],
): { again: ResumedUpload[]; rest: Dropped[] } {
  const left = [...cutOff];
  const again: ResumedUpload[] = [];
  const rest: Dropped[] = [];
  for (const { path, file } of chosen) {
    const same = left.filter(
      ({ size, lastModified }) => size === file.size && lastModified === file.lastModified,
    );
    const found =
      same.find((each) => each.path === path) ?? same.find((each) => each.path.endsWith(`/${path}`));
    if (found === undefined) rest.push({ path, file });
    else {
      left.splice(left.indexOf(found), 1);
      again.push({ path: found.path, file, uploadId: found.uploadId });
    }
  }
  return { again, rest };
}
