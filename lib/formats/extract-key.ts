/** Where the text of a PDF is kept: passages and citations refer to it, not to the file's bytes. */
export function extractKey(workspaceId: string, fileHash: string): string {
  return `extracts/${workspaceId}/${fileHash}.txt`;
}
