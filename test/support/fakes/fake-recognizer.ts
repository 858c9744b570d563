import type { PictureOfPage, Recognizer } from '../../../lib/ports/recognizer.ts';

export interface FakeRecognizer extends Recognizer {
  /** The pages that it was called for, in order. */
  asked: Pick<PictureOfPage, 'format' | 'page'>[];
}

/** Returns the text of each page that the test specifies. */
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
