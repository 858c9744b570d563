export function extractsPrefix(workspaceId: string): string {
  return `extracts/${workspaceId}/`;
}

/** The file hash in the key of an extract. */
export function hashOfExtract(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/** Where the text decoded from a file is stored: passages and citations refer to it, not to the bytes. */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.txt`;
}

/** Where the OCR text of a file's pages is stored, even if incomplete. */
export function recognizedKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.recognized.json`;
}

/** The key of its parts: the pages, slides or sheets of the text. */
export function partsKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.parts.json`;
}

/** The keys of everything stored about one version of a file. */
export function extractKeys(workspaceId: string, fileHash: string): string[] {
  return [extractKey, partsKey, recognizedKey].map((keyOf) => keyOf(workspaceId, fileHash));
}
