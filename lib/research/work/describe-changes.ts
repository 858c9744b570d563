import { NO_COUNTS } from '../fold-frames.ts';
import type { Evidence, Section, Sentence } from '../schema.ts';
import type { Done } from './sections.ts';
import type { Study } from './study.ts';

/**
 * Returns the first section of a refreshed report: new statements of sources, and statements that no longer
 * appear. Written without a model, from claims that their quotes support.
 */
export function describeChanges({ earlier, request }: Study, evidence: Evidence[]): Done | undefined {
  if (request.way !== 'refresh' || earlier === undefined) return undefined;
  const known = new Set(earlier.evidence.map(({ id }) => id));
  const fresh = evidence
    .filter(({ id, supports }) => !known.has(id) && supports === 'yes')
    .slice(0, MAX_SHOWN);
  const words = request.language.toLowerCase().startsWith('zh') ? CHINESE : ENGLISH;
  const sentences: Sentence[] = fresh.map(({ id, claim }) => {
    return { text: claim, evidence: [id], state: 'supported' };
  });
  const gone = earlier.gone.length;
  const told: Sentence[] = [{ text: words.told(fresh.length, gone), evidence: [], state: 'plain' }];
  const paragraphs = [told, ...(sentences.length > 0 ? [sentences] : [])];
  const section: Section = { questionId: null, heading: words.heading, paragraphs };
  const counts = { ...NO_COUNTS, sentences: sentences.length, supported: sentences.length };
  return { section, counts, open: [] };
}

const MAX_SHOWN = 40;

const ENGLISH = {
  heading: 'What is new',
  told: (fresh: number, gone: number) =>
    `Since the previous report, ${fresh} claims are new, and ${gone} of its quotes are no longer in their sources.`,
};

const CHINESE = {
  heading: '新内容',
  told: (fresh: number, gone: number) =>
    `自上次报告以来，新增 ${fresh} 条论断；原有 ${gone} 条引文已不在其来源中。`,
};
