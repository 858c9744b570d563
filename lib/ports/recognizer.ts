/** Reads the text of pictures: scanned pages, photographed ones, screenshots. Slow: seconds a page. */
export interface Recognizer {
  /** Its languages and a part of its hash: what another one read is read again. */
  id: string;
  /**
   * The text of one page; empty where none is seen. Throws Unreadable for a picture that cannot be read or would take too
   * much, NotConfigured where the recognizer itself cannot be had.
   */
  readPage(page: PictureOfPage, options?: { signal?: AbortSignal }): Promise<string>;
}

export interface PictureOfPage {
  /** What the bytes are: a picture, or a PDF of which one page is wanted. */
  format: 'picture' | 'pdf';
  bytes: Uint8Array;
  /** From 1. */
  page: number;
}
