/** What `npm run bench -- console` measures in Chromium; written to stdout as JSON. */
export interface Figures {
  firstContentMs: number;
  slowedContentMs: number;
  firstLoadBytes: number;
  entries: number;
  scrollTask: Task;
  tokens: number;
  tokensPerSecond: number;
  streamTask: Task;
  pdfPages: number;
  pdfMs: number;
}

export interface Task {
  ms: number;
  /** What the processor had to do for it: on a machine that others use, the rest is waiting for them. */
  processorMs: number;
}
