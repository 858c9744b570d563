/** Turns speech into text. */
export interface Transcriber {
  /**
   * Transcribes a recording as people send it in a chat (Ogg/Opus, and whatever else the service reads). Throws InvalidInput
   * for anything but a recording in a supported format, UpstreamFailed if it fails.
   */
  transcribe(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}
