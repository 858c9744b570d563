import type { Mark } from './quote-marks.ts';

/** Properties of every view of a file. */
export interface PreviewProps {
  workspaceId: string;
  path: string;
  mark?: Mark | undefined;
}
