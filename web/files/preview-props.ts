import type { Mark } from './quote-marks.ts';

/** What every view of a file is given. */
export interface PreviewProps {
  workspaceId: string;
  path: string;
  mark?: Mark | undefined;
}
