import * as z from 'zod';

/** The setting for a model that judges the citations of answers and the quotes of drafts. */
export const citationJudgeSchema = z.enum(['on', 'off']).meta({ title: 'CitationJudge' });
export type CitationJudge = z.infer<typeof citationJudgeSchema>;

/** The setting that decided whether a model judges. */
export const judgeSourceSchema = z
  .enum(['environment', 'settings', 'workspace'])
  .meta({ title: 'CitationJudgeSource' });

/** A workspace may have its own value. Otherwise the service's value applies. */
interface JudgedWorkspace {
  citationJudge?: CitationJudge | undefined;
}

interface JudgePorts {
  /** The service's value, from its settings, otherwise from its environment. */
  judgesCitations?: boolean | undefined;
}

/** Returns whether a model judges, as set by the request, otherwise its workspace, otherwise the service. */
export function isJudged(
  wanted: boolean | undefined,
  { citationJudge }: JudgedWorkspace,
  { judgesCitations = false }: JudgePorts,
): boolean {
  return wanted ?? (citationJudge === undefined ? judgesCitations : citationJudge === 'on');
}

/** The service's value, with the setting that decided on it. */
export interface ServiceJudge {
  judgesCitations: boolean;
  source: 'environment' | 'settings';
}

export function judgeValue(isOn: boolean): CitationJudge {
  return isOn ? 'on' : 'off';
}
