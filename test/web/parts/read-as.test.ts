import { expect, it } from '@jest/globals';
import { pastedBaseUrl, pastedKey } from '../../../lib/api-contract/pasted.ts';
import { readAs } from '../../../web/parts/read-as.ts';

it('shows nothing of a password, whatever was typed', () => {
  const pasted = { value: ' sk-abc-SECRET ', type: 'password' };
  expect(readAs(pasted)).toBeUndefined();
  expect(readAs(pasted, pastedKey)).toBeUndefined();
});

it('shows what another field is read as, but not that spaces around it are left out', () => {
  const url = 'http://127.0.0.1:11434/v1';
  expect(readAs({ value: ' 127.0.0.1:11434/v1 ' }, pastedBaseUrl)).toBe(url);
  expect(readAs({ value: ` ${url} ` }, pastedBaseUrl)).toBeUndefined();
  expect(readAs({ value: ' My notes ' })).toBeUndefined();
  expect(readAs({ value: undefined })).toBeUndefined();
});
