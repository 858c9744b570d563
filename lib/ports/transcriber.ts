/** Turns speech into text. */
export interface Transcriber {
  /**
   * Transcribes a recording as sent in chats (Ogg/Opus, and other formats that the service supports). Throws
   * InvalidInput for anything else, UpstreamFailed if the service fails.
   */
  transcribe(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}
