/** Turns speech into text. */
export interface Transcriber {
  /**
   * What is said in a recording, as people send it in a chat (Ogg/Opus, and whatever else the service reads). Throws
   * InvalidInput for what is no recording in a form that it reads, UpstreamFailed when it fails.
   */
  transcribe(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}
