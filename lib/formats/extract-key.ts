/** The prefix of the extracts of a workspace. */
export function extractsPrefix(workspaceId: string): string {
  return `extracts/${workspaceId}/`;
}

/** The file hash in the key of an extract. */
export function hashOfExtract(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/** Where the text is kept that was made of a file's bytes: passages and citations refer to it, not to the bytes. */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.txt`;
}

/** Where a recognizer's reading of the file's pages is kept, as far as it got. */
export function recognizedKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.recognized.json`;
}

/** The key of its parts: the pages, slides or sheets of the text. */
export function partsKey(workspaceId: string, fileHash: string): string {
  return `${extractsPrefix(workspaceId)}${fileHash}.parts.json`;
}

/** The keys of everything that is kept of one version of a file. */
export function extractKeys(workspaceId: string, fileHash: string): string[] {
  return [extractKey, partsKey, recognizedKey].map((keyOf) => keyOf(workspaceId, fileHash));
}
