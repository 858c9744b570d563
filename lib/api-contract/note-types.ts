/** Notes that the model writes from the files of a workspace. */
export const FILES_NOTE_TYPES = ['summary', 'faq', 'brief', 'timeline'] as const;
export const REPORT_NOTE_TYPES = ['daily_report', 'weekly_report'] as const;
/** Notes that are generated on request. A memory comes from a conversation. */
export const GENERATED_NOTE_TYPES = [...FILES_NOTE_TYPES, ...REPORT_NOTE_TYPES] as const;
export type GeneratedNoteType = (typeof GENERATED_NOTE_TYPES)[number];
export const NOTE_TYPES = ['manual', ...GENERATED_NOTE_TYPES, 'memory'] as const;
