/** A text that is being changed, and the version of the file that it began with. */
export interface KeptText {
  text: string;
  /** SHA-256 of the file then; null when the file is gone. */
  hash: string | null;
}

const keyOf = (workspaceId: string, path: string) => `edit:${workspaceId}:${path}`;

/** Returns the text that was typed and not saved in this tab. */
export function readKeptText(workspaceId: string, path: string): KeptText | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(workspaceId, path)) ?? '') as KeptText;
    return typeof kept.text === 'string' && typeof kept.hash === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** False when the browser keeps no more. */
export function keepText(workspaceId: string, path: string, kept: KeptText): boolean {
  try {
    sessionStorage.setItem(keyOf(workspaceId, path), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function dropKeptText(workspaceId: string, path: string): void {
  sessionStorage.removeItem(keyOf(workspaceId, path));
}
