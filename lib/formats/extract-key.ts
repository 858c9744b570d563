/** Where the text is kept that was made of a file's bytes: passages and citations refer to it, not to the bytes. */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.txt`;
}

/** Where a recognizer's reading of the file's pages is kept, as far as it got. */
export function recognizedKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.recognized.json`;
}

/** The key of its parts: the pages, slides or sheets of the text. */
export function partsKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.parts.json`;
}
