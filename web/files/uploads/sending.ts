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
  /** Set for a large upload that was begun before: what has arrived of it is not sent again. */
  uploadId: string | undefined;
  onBegun: (uploadId: string) => void;
}
