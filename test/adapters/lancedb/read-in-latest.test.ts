import { expect, it, jest } from '@jest/globals';
import { readInLatest } from '../../../lib/adapters/lancedb/read-in-latest.ts';

const removed = () => {
  throw new Error('lance error: Not found: /data/vectors/w/s.lance/data/0110.lance, library/core/result.rs');
};

it('readInLatest() reads again if a file of the version was removed', async () => {
  const read = jest.fn<() => Promise<string>>().mockImplementationOnce(removed).mockResolvedValue('found');
  expect(await readInLatest(read)).toBe('found');
});

it('readInLatest() throws if the file stays missing, and any other error at once', async () => {
  const missing = jest.fn<() => Promise<string>>().mockImplementation(removed);
  await expect(readInLatest(missing)).rejects.toThrow('Not found');
  expect(missing).toHaveBeenCalledTimes(3);
  const failing = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('disk I/O error'));
  await expect(readInLatest(failing)).rejects.toThrow('disk');
  expect(failing).toHaveBeenCalledTimes(1);
});
