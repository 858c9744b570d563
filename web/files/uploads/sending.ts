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
  /** Called when the service becomes unreachable, and when it's reachable again. */
  onCut: (isCut: boolean) => void;
  /** Set for a large upload that started earlier; bytes that have arrived aren't sent again. */
  uploadId: string | undefined;
  onBegun: (uploadId: string) => void;
}
