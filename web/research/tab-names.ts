/** The sides of a report, as the address names them. */
export const REPORT_TABS = ['report', 'evidence', 'plan', 'left-out'] as const;
