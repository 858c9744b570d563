export function extractsPrefix(workspaceId: string): string {
  return `extracts/${workspaceId}/`;
}

/** Returns the file hash in the key of an extract. */
export function hashOfExtract(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/**
 * Returns the key of the text that was decoded from a file. Passages and citations refer to this text, not to
 * the bytes.
 */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.txt`;
}

/** Returns the key of the OCR text of a file's pages. The text may be incomplete. */
export function recognizedKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.recognized.json`;
}

/** Returns the key of the parts of the text: its pages, slides, or sheets. */
export function partsKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.parts.json`;
}

/** Returns the keys of all objects about one version of a file. */
export function extractKeys(workspaceId: string, fileHash: string): string[] {
  return [extractKey, partsKey, recognizedKey].map((keyOf) => keyOf(workspaceId, fileHash));
}
