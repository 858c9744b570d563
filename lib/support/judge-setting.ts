import * as z from 'zod';

/** Whether a model judges the citations of answers and the quotes of drafts. */
export const citationJudgeSchema = z.enum(['on', 'off']).meta({ title: 'CitationJudge' });
export type CitationJudge = z.infer<typeof citationJudgeSchema>;

/** What decided on it. */
export const judgeSourceSchema = z
  .enum(['environment', 'settings', 'workspace'])
  .meta({ title: 'CitationJudgeSource' });

/** A workspace may have its own value; otherwise that of the service applies. */
interface JudgedWorkspace {
  citationJudge?: CitationJudge | undefined;
}

interface JudgePorts {
  /** The value of the service: as its settings say, otherwise its environment. */
  judgesCitations?: boolean | undefined;
}

/** Whether a model judges: as the request says, otherwise its workspace, otherwise the service. */
export function isJudged(
  wanted: boolean | undefined,
  { citationJudge }: JudgedWorkspace,
  { judgesCitations = false }: JudgePorts,
): boolean {
  return wanted ?? (citationJudge === undefined ? judgesCitations : citationJudge === 'on');
}

/** The value of the service, with what decided on it. */
export interface ServiceJudge {
  judgesCitations: boolean;
  source: 'environment' | 'settings';
}

export function judgeValue(isOn: boolean): CitationJudge {
  return isOn ? 'on' : 'off';
}
