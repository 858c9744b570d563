import type { ComponentType } from 'react';
import type { TaskType } from '../queries.ts';
import type { Config, ConfigProps } from './config-props.ts';
import { CustomConfig } from './custom.tsx';
import { ReportConfig } from './report.tsx';

interface TaskKind {
  /** What the type asks for beside the schedule. */
  Form?: ComponentType<ConfigProps>;
  /** What it cannot run without. */
  isWhole?: (config: Config) => boolean;
  /** Whether it may be for every workspace. */
  canBeEverywhere: boolean;
}

/** A type of task is a line here, and a file beside this one where it has settings. */
export const TASK_KINDS: Record<TaskType, TaskKind> = {
  custom: {
    Form: CustomConfig,
    isWhole: ({ prompt }) => typeof prompt === 'string' && prompt.trim() !== '',
    canBeEverywhere: false,
  },
  daily_report: { Form: ReportConfig, canBeEverywhere: true },
  weekly_report: { Form: ReportConfig, canBeEverywhere: true },
  git_sync: { canBeEverywhere: true },
  source_sync: { canBeEverywhere: true },
};
