/** Where the text is kept that was made of a file's bytes: passages and citations refer to it, not to the bytes. */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.txt`;
}

/** Where its parts are kept beside it: what the pages, slides or sheets of the text are. */
export function partsKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.parts.json`;
}
