import type { DatasetStatus } from '../../lib/api-contract/dataset-actions.ts';

export function isMoving(status: DatasetStatus): boolean {
  return status === 'pending' || status === 'downloading';
}

/** Parses typed patterns, one per line. */
export function patternsOf(text: string): string[] | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const patterns = lines.filter((line) => line !== '');
  return patterns.length === 0 ? undefined : patterns;
}

/** Returns a preview cell as text, whatever it contains; truncates long text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}
const MAX_CELL = 500;
