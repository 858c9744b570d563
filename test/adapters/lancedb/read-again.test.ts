import { expect, it, jest } from '@jest/globals';
import { readAgain } from '../../../lib/adapters/lancedb/read-again.ts';

const removed = () => {
  throw new Error('lance error: Not found: /data/vectors/w/s.lance/data/0110.lance, library/core/result.rs');
};

it('readAgain() reads again if a file of the version was removed', async () => {
  const read = jest.fn<() => Promise<string>>().mockImplementationOnce(removed).mockResolvedValue('found');
  expect(await readAgain(read)).toBe('found');
});

it('readAgain() throws if the file stays missing, and any other error at once', async () => {
  const missing = jest.fn<() => Promise<string>>().mockImplementation(removed);
  await expect(readAgain(missing)).rejects.toThrow('Not found');
  expect(missing).toHaveBeenCalledTimes(3);
  const failing = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('disk I/O error'));
  await expect(readAgain(failing)).rejects.toThrow('disk');
  expect(failing).toHaveBeenCalledTimes(1);
});
