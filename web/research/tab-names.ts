import { searchTexts } from '../shell/search-texts.ts';

/** The sides of a report, as the address names them. */
export const REPORT_TABS = ['report', 'evidence', 'plan', 'left-out'] as const;

/** What the page of a report shows, as the URL has it. */
interface ReportSearch {
  tab?: (typeof REPORT_TABS)[number] | undefined;
  /** The question whose evidence is shown. */
  question?: string | undefined;
  /** The evidence whose source is open. */
  source?: string | undefined;
  /** Which of the sentences that cite it. */
  nth?: string | undefined;
}

export function readReportSearch({ tab, ...search }: Record<string, unknown>): ReportSearch {
  return {
    tab: REPORT_TABS.find((each) => each === tab),
    ...searchTexts('question', 'source', 'nth')(search),
  };
}
