import { jest } from '@jest/globals';

/** Returns the log lines of some work, which aren't printed. */
export function printedLines(work: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  work();
  spy.mockRestore();
  return lines.map((line) => JSON.parse(line));
}
