export interface Progress {
  sent: number;
  total: number;
}

export interface Sending {
  workspaceId: string;
  path: string;
  file: File;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Of a large one that was begun before: what has come of it is not sent again. */
  uploadId: string | undefined;
  onBegun: (uploadId: string) => void;
}
