import type { PictureOfPage, Recognizer } from '../../../lib/ports/recognizer.ts';

export interface FakeRecognizer extends Recognizer {
  /** What it was asked to read, in order. */
  asked: Pick<PictureOfPage, 'format' | 'page'>[];
}

/** Says of each page what a test wants. */
export function fakeRecognizer(
  read: (page: PictureOfPage) => string | Promise<string>,
  id = 'fake@1',
): FakeRecognizer {
  const asked: FakeRecognizer['asked'] = [];
  return {
    id,
    asked,
    async readPage(page) {
      asked.push({ format: page.format, page: page.page });
      return read(page);
    },
  };
}
