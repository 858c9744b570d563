import type { ActivityKind } from '../activity/schema.ts';
import { isChinese } from './chinese.ts';
import type { Period } from './period.ts';

/** Texts that the service itself writes into a report. */
export interface ReportMessages {
  daily: string;
  weekly: string;
  facts: string;
  what: string;
  count: string;
  total: string;
  files: string;
  kinds: Record<ActivityKind, string>;
}

const ENGLISH: ReportMessages = {
  daily: 'Daily Report',
  weekly: 'Weekly Report',
  facts: 'Facts',
  what: 'What happened',
  count: 'Times',
  total: 'In all',
  files: 'Files changed',
  kinds: {
    file_written: 'Files written',
    file_uploaded: 'Files uploaded',
    file_moved: 'Files moved',
    file_deleted: 'Files deleted',
    directory_made: 'Directories made',
    sync: 'Syncs',
    note_created: 'Notes made',
    note_changed: 'Notes changed',
    note_deleted: 'Notes deleted',
    chat: 'Questions asked',
    agent_run: 'Agent runs',
    command: 'Commands run',
    job_submitted: 'Jobs submitted',
    dataset_linked: 'Datasets linked',
    git_cloned: 'Repositories cloned',
    git_pulled: 'Repositories pulled',
    git_committed: 'Commits',
    git_branch_switched: 'Branches switched',
    git_discarded: 'Changes discarded',
    git_pushed: 'Branches pushed',
    report: 'Reports',
    citations_broken: 'Files whose citations broke',
    citations_moved: 'Files whose citations moved',
  },
};

const CHINESE: ReportMessages = {
  daily: '每日日报',
  weekly: '每周周报',
  facts: '数据',
  what: '事项',
  count: '次数',
  total: '合计',
  files: '变更的文件',
  kinds: {
    file_written: '写入文件',
    file_uploaded: '上传文件',
    file_moved: '移动文件',
    file_deleted: '删除文件',
    directory_made: '新建目录',
    sync: '同步',
    note_created: '新建笔记',
    note_changed: '修改笔记',
    note_deleted: '删除笔记',
    chat: '提问',
    agent_run: '智能体运行',
    command: '执行命令',
    job_submitted: '提交任务',
    dataset_linked: '关联数据集',
    git_cloned: '克隆仓库',
    git_pulled: '拉取仓库',
    git_committed: '提交',
    git_branch_switched: '切换分支',
    git_discarded: '放弃的更改',
    git_pushed: '推送分支',
    report: '报告',
    citations_broken: '引用失效的文件',
    citations_moved: '引用已更新路径的文件',
  },
};

/** Returns the Chinese texts for a Chinese locale, otherwise the English ones. */
export function reportMessages(locale: string): ReportMessages {
  return isChinese(locale) ? CHINESE : ENGLISH;
}

export function reportTitle({ kind, firstDay, lastDay }: Period, locale: string): string {
  const words = reportMessages(locale);
  return kind === 'daily' ? `${words.daily} - ${firstDay}` : `${words.weekly} - ${firstDay} – ${lastDay}`;
}
