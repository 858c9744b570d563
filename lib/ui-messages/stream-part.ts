export type { StreamPart } from '../api-contract/stream-part.ts';

/** Thrown by a source that can't continue here and now: the stream ends without `[DONE]`, and the reader resumes it. */
export class StreamCut extends Error {}
