import { searchTexts } from '../shell/search-texts.ts';

/** The tabs of a report, as in the URL. */
export const REPORT_TABS = ['report', 'evidence', 'plan', 'left-out'] as const;

/** The state of a report's page, as in the URL. */
interface ReportSearch {
  tab?: (typeof REPORT_TABS)[number] | undefined;
  /** The question whose evidence is shown. */
  question?: string | undefined;
  /** The evidence whose source is open. */
  source?: string | undefined;
  /** The position of the sentence among those that cite the source. */
  nth?: string | undefined;
}

export function readReportSearch({ tab, ...search }: Record<string, unknown>): ReportSearch {
  return {
    tab: REPORT_TABS.find((each) => each === tab),
    ...searchTexts('question', 'source', 'nth')(search),
  };
}
