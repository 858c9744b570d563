/** Where a workspace's notes lie in the records store. */
export function notesPartition(workspaceId: string): string {
  return `NOTE#${workspaceId}`;
}
