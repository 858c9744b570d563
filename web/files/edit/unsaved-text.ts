/** A text that is being edited, with the file's version from which it started. */
export interface UnsavedText {
  text: string;
  /** SHA-256 of that version; null if the file is deleted. */
  hash: string | null;
}

const keyOf = (workspaceId: string, path: string) => `edit:${workspaceId}:${path}`;

/** Returns text that was typed in this tab and not saved. */
export function readUnsavedText(workspaceId: string, path: string): UnsavedText | undefined {
  try {
    const unsaved = JSON.parse(sessionStorage.getItem(keyOf(workspaceId, path)) ?? '') as UnsavedText;
    return typeof unsaved.text === 'string' && typeof unsaved.hash === 'string' ? unsaved : undefined;
  } catch {
    return undefined;
  }
}

/** Stores unsaved text; returns false if the browser's storage is full. */
export function storeUnsavedText(workspaceId: string, path: string, unsaved: UnsavedText): boolean {
  try {
    sessionStorage.setItem(keyOf(workspaceId, path), JSON.stringify(unsaved));
    return true;
  } catch {
    return false;
  }
}

export function dropUnsavedText(workspaceId: string, path: string): void {
  sessionStorage.removeItem(keyOf(workspaceId, path));
}
