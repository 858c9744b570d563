import type { ComponentType } from 'react';
import type { TaskType } from '../queries.ts';
import type { Config, ConfigProps } from './config-props.ts';
import { CustomConfig } from './custom.tsx';
import { ReportConfig } from './report.tsx';

interface TaskKind {
  /** The form for the type's settings, in addition to the schedule. */
  Form?: ComponentType<ConfigProps>;
  /** Returns whether all required settings are set. */
  isWhole?: (config: Config) => boolean;
  /** True if a task of this type may run for every workspace. */
  canBeEverywhere: boolean;
}

/** The task types. To add one, add a line here, and a file next to this one if it has settings. */
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
