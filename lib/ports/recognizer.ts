/** OCR engine: reads the text of images such as scanned pages, photographs, and screenshots. Takes seconds per page. */
export interface Recognizer {
  /** The engine's languages, and part of its hash. Files that another engine has read are read again. */
  id: string;
  /**
   * Returns the text of one page; empty if it has none. Throws Unreadable for an image that is unreadable or too
   * expensive, NotConfigured if the engine itself is missing.
   */
  readPage(page: PictureOfPage, options?: { signal?: AbortSignal }): Promise<string>;
}

export interface PictureOfPage {
  /** The type of the bytes: an image, or a PDF with the wanted page. */
  format: 'picture' | 'pdf';
  bytes: Uint8Array;
  /** Page number, from 1. */
  page: number;
}
