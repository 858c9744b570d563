import { oneLine } from '../activity/record.ts';
import type { Activity, ActivityKind } from '../activity/schema.ts';
import { asCode } from '../api-contract/inline-code.ts';
import { type ReportMessages, reportMessages } from './report-messages.ts';

/** The facts of a report. All counting happens here, never in the model. */
export interface ReportFacts {
  total: number;
  /** Every kind of activity that occurred, most frequent first. */
  kinds: { kind: ActivityKind; count: number; lines: FactLine[] }[];
  /** Every changed file, most frequently changed first. */
  files: { path: string; count: number }[];
  /** False if there were more activities than a report reads. */
  complete: boolean;
}

/** One action, with its number of occurrences. */
interface FactLine {
  summary: string;
  count: number;
}

const FILE_KINDS = new Set<ActivityKind>(['file_written', 'file_uploaded', 'file_moved', 'file_deleted']);
const FILES_SHOWN = 100;
const PROMPT_LINES_BYTES = 40_000;

export function collectFacts(activities: Activity[], complete: boolean): ReportFacts {
  const kinds = [...Map.groupBy(activities, ({ kind }) => kind)].map(([kind, some]) => ({
    kind,
    count: some.length,
    lines: countBy(some.map(({ summary }) => summary)).map(([summary, count]) => ({ summary, count })),
  }));
  const paths = activities.flatMap(({ kind, details }) =>
    FILE_KINDS.has(kind) && typeof details.path === 'string' ? [details.path] : [],
  );
  return {
    total: activities.length,
    kinds: kinds.sort((a, b) => b.count - a.count),
    files: countBy(paths).map(([path, count]) => ({ path, count })),
    complete,
  };
}

/**
 * Returns the texts with their counts, most frequent first. Texts with equal counts stay in the order of
 * first occurrence.
 */
function countBy(texts: string[]): [string, number][] {
  const groups = [...Map.groupBy(texts, (text) => text)];
  return groups.map(([text, all]): [string, number] => [text, all.length]).sort((a, b) => b[1] - a[1]);
}

/** Formats the facts as Markdown, for the end of the note. */
export function factsTable({ total, kinds, files, complete }: ReportFacts, locale: string): string {
  const words = reportMessages(locale);
  const rows = kinds.map(({ kind, count }) => `| ${words.kinds[kind]} | ${count} |`);
  const all = `| **${words.total}** | **${total}${complete ? '' : '+'}** |`;
  const table = [`| ${words.what} | ${words.count} |`, '|---|---:|', ...rows, all].join('\n');
  return `## ${words.facts}\n\n${table}${filesList(files, words)}`;
}

function filesList(files: ReportFacts['files'], words: ReportMessages): string {
  if (files.length === 0) return '';
  const shown = files
    .slice(0, FILES_SHOWN)
    .map(({ path, count }) => `- ${asCode(oneLine(path, 200))} (${count})`);
  const rest = files.length - shown.length;
  const more = rest > 0 ? [`- … +${rest}`] : [];
  return `\n\n### ${words.files} (${files.length})\n\n${[...shown, ...more].join('\n')}`;
}

/** Formats the facts for the prompt: all counts, and as many lines of each kind as its share of the space allows. */
export function factsText(
  { total, kinds, files, complete }: ReportFacts,
  maxBytes = Number.POSITIVE_INFINITY,
): string {
  const room = Math.min(PROMPT_LINES_BYTES, maxBytes) / Math.max(1, kinds.length);
  const sections = kinds.map(
    ({ kind, count, lines }) => `${kind}: ${count} in all\n${listLines(lines, room)}`,
  );
  const counted = `${total} activities in all${complete ? '' : ' were read, and there were more'}; ${files.length} different files changed.`;
  return [counted, ...sections].join('\n\n');
}

function listLines(lines: FactLine[], room: number): string {
  const shown: string[] = [];
  let left = room;
  for (const { summary, count } of lines) {
    const line = `- ${summary}${count > 1 ? ` (${count} times)` : ''}`;
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const rest = lines.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return [...shown, ...(rest > 0 ? [`- and ${rest} more that are not listed here`] : [])].join('\n');
}
