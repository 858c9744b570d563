import { expect, it } from '@jest/globals';
import { pastedBaseUrl, pastedKey } from '../../../lib/api-contract/pasted.ts';
import { readAs } from '../../../web/parts/read-as.ts';

it('readAs shows nothing for a password', () => {
  const pasted = { value: ' sk-abc-SECRET ', type: 'password' };
  expect(readAs(pasted)).toBeUndefined();
  expect(readAs(pasted, pastedKey)).toBeUndefined();
});

it('readAs shows the interpreted value of another field, but not trimmed spaces', () => {
  const url = 'http://127.0.0.1:11434/v1';
  expect(readAs({ value: ' 127.0.0.1:11434/v1 ' }, pastedBaseUrl)).toBe(url);
  expect(readAs({ value: ` ${url} ` }, pastedBaseUrl)).toBeUndefined();
  expect(readAs({ value: ' My notes ' })).toBeUndefined();
  expect(readAs({ value: undefined })).toBeUndefined();
});
