import { expect, it } from '@jest/globals';
import { failedUploads, uploadedSoFar } from '../../../../web/files/uploads/upload.ts';

const upload = (path: string, fields: object) => ({
  ...{ workspaceId: 'w', path, file: {} as File, sent: 0, total: 9, isDone: false },
  ...fields,
});
const done = upload('a.md', { isDone: true });
const failed = upload('b.md', { error: new Error('No.') });

it('uploadedSoFar counts the stored files only during uploads', () => {
  expect(uploadedSoFar([])).toBeUndefined();
  expect(uploadedSoFar([done, failed])).toBeUndefined();
  expect(uploadedSoFar([done, failed, upload('c.md', {})])).toEqual({ done: 1, total: 3 });
});

it('failedUploads counts files that are neither stored, in progress, nor canceled', () => {
  const cancelled = upload('d.md', { error: new DOMException('', 'AbortError') });
  expect(failedUploads([done, failed, upload('c.md', {}), cancelled])).toEqual([failed]);
});
