/** OCR engine: reads the text of images such as scanned pages, photographs, and screenshots. Slow: seconds per page. */
export interface Recognizer {
  /** Its languages and a part of its hash: files read by another engine are read again. */
  id: string;
  /**
   * Returns the text of one page; empty if it has none. Throws Unreadable for an image that can't be read or would take too
   * much, NotConfigured if the engine itself is missing.
   */
  readPage(page: PictureOfPage, options?: { signal?: AbortSignal }): Promise<string>;
}

export interface PictureOfPage {
  /** The type of the bytes: an image, or a PDF of which one page is wanted. */
  format: 'picture' | 'pdf';
  bytes: Uint8Array;
  /** From 1. */
  page: number;
}
