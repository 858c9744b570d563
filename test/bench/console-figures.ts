/** The measurements of `npm run bench -- console` in Chromium, written to stdout as JSON. */
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
  /** Processor time, because the rest of the time is waiting for other processes on a shared host. */
  processorMs: number;
}
