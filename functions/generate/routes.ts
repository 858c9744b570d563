import type { Caller } from '../../lib/access/caller.ts';
import { type GeneratePorts, generateNote } from '../../lib/generate/generate.ts';
import {
  dailyReportBody,
  filesNoteType,
  generateBody,
  skippedSchema,
  weeklyReportBody,
} from '../../lib/generate/schema.ts';
import { reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import {
  type ReportOptions,
  type ReportOutcome,
  type ReportPorts,
  WRITE_REPORT_ERRORS,
  writeDailyReport,
  writeWeeklyReport,
} from '../../lib/notes/reports.ts';
import { signedNoteSchema } from '../../lib/notes/schema.ts';

interface GenerateRoutePorts extends GeneratePorts, ReportPorts {
  /** The report time zone. */
  reportTimezone: string;
}

const route = routeFor<GenerateRoutePorts>();
/** Milliseconds of a request's time that are reserved for its response. */
const RESERVE_MS = 15_000;
/** In milliseconds: less than `wrs` waits for a response. */
const LIMIT_MS = 280_000;

export const generateRoutes = [
  route({
    method: 'POST',
    path: '/api/generate',
    operationId: 'generateNote',
    summary: 'Generate a note or a report',
    description:
      'Writes a note with its sources from all indexed files of a workspace. It reads the whole index: long material is condensed in parts, which are then combined. `daily_report` and `weekly_report` write the report of today or of this week.',
    access: 'member',
    body: generateBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', type: 'summary' },
    mayBeLate: true,
    replies: { 200: skippedSchema, 201: signedNoteSchema },
    errors: [...WRITE_REPORT_ERRORS, 'index_empty'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const { type, locale } = body;
      const filesType = filesNoteType.safeParse(type);
      if (!filesType.success) {
        const write = type === 'daily_report' ? writeDailyReport : writeWeeklyReport;
        const options = reportOptions(ports, caller, locale, timeLeftMs());
        return reportReply(await write(ports, workspace.id, options));
      }
      const model = ports.openModel({ callerId: caller.id, workspaceId: workspace.id, kind: 'generate' });
      const signal = AbortSignal.timeout(limitOf(timeLeftMs()));
      const request = { workspace, actor: caller.id, type: filesType.data, locale, model, signal };
      return reply(201, await generateNote(ports, request));
    },
  }),
  route({
    method: 'POST',
    path: '/api/daily-report',
    operationId: 'createDailyReport',
    summary: 'Create a daily report',
    description:
      'Writes the report of a day from the recorded activity. There is one report per workspace and day.',
    access: 'member',
    body: dailyReportBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', date: '2026-11-22' },
    mayBeLate: true,
    replies: { 200: skippedSchema, 201: signedNoteSchema },
    errors: [...WRITE_REPORT_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const options = reportOptions(ports, caller, body.locale, timeLeftMs());
      return reportReply(await writeDailyReport(ports, workspace.id, { ...options, date: body.date }));
    },
  }),
  route({
    method: 'POST',
    path: '/api/weekly-report',
    operationId: 'createWeeklyReport',
    summary: 'Create a weekly report',
    description:
      'Writes the report of the current ISO week so far. There is one report per workspace and week.',
    access: 'member',
    body: weeklyReportBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    mayBeLate: true,
    replies: { 200: skippedSchema, 201: signedNoteSchema },
    errors: [...WRITE_REPORT_ERRORS],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const options = reportOptions(ports, caller, body.locale, timeLeftMs());
      return reportReply(await writeWeeklyReport(ports, workspace.id, options));
    },
  }),
];

function reportOptions(
  { reportTimezone }: GenerateRoutePorts,
  caller: Caller,
  locale: string | undefined,
  timeLeftMs: number,
): ReportOptions {
  return {
    timezone: reportTimezone,
    locale,
    actor: caller.id,
    kind: 'generate',
    timeLeftMs: limitOf(timeLeftMs),
  };
}

function limitOf(timeLeftMs: number): number {
  return Math.max(0, Math.min(LIMIT_MS, timeLeftMs - RESERVE_MS));
}

function reportReply(outcome: ReportOutcome) {
  return 'note' in outcome ? reply(201, outcome.note) : reply(200, outcome);
}
