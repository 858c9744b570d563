/**
 * Structured logs: one JSON object per line on stdout. They never contain bodies, contents, questions,
 * answers, tokens, or keys.
 */
export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };
let threshold = RANK.info;

export function setLogLevel(level: LogLevel): void {
  threshold = RANK[level];
}

export const log = {
  debug: (message: string, fields?: LogFields) => write('debug', message, fields),
  info: (message: string, fields?: LogFields) => write('info', message, fields),
  /** `cause` adds the error's name, message and stack. */
  warn: (message: string, fields?: LogFields, cause?: unknown) =>
    write('warn', message, { ...fields, ...describeCause(cause) }),
  error: (message: string, fields?: LogFields, cause?: unknown) =>
    write('error', message, { ...fields, ...describeCause(cause) }),
};

function write(level: LogLevel, message: string, fields: LogFields = {}): void {
  if (RANK[level] < threshold) return;
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
}

function describeCause(cause: unknown): LogFields {
  if (cause === undefined) return {};
  if (!(cause instanceof Error)) return { cause: String(cause) };
  return {
    cause: cause.name,
    causeMessage: cause.message,
    stack: cause.stack,
    reason: cause.cause === undefined ? undefined : String(cause.cause),
  };
}
