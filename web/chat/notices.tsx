import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import type { Notice } from './message-view.ts';

/**
 * Notices that say the same each time, shown in the person's language; others name files or figures, in the service's
 * words.
 */
const SAID = ['index-building', 'index-empty', 'search-by-words', 'nothing-near'] as const;

/** The only sign that a person cut an answer. */
const STOPPED = 'The answer was stopped.';

export function Notices({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <div className="mt-4 space-y-2">
      {notices.map((notice) => (
        <Banner
          key={`${notice.code} ${notice.text}`}
          look={notice.code === 'answer-cut' && notice.text !== STOPPED ? 'warn' : 'calm'}
        >
          <Said notice={notice} />
        </Banner>
      ))}
    </div>
  );
}

function Said({ notice: { code, text } }: { notice: Notice }) {
  const { t } = useTranslation();
  if (text === STOPPED) return t('chat.notices.stopped');
  const known = SAID.find((each) => each === code);
  return known === undefined ? text : t(`chat.notices.${known}`);
}
