/** Turns speech into text. */
export interface Transcriber {
  /**
   * Transcribes a recording as sent in chats (Ogg/Opus, and other formats that the service reads). Throws InvalidInput
   * for anything but a recording in a supported format, UpstreamFailed if the service fails.
   */
  transcribe(audio: Uint8Array, signal?: AbortSignal): Promise<string>;
}
