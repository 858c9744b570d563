import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import type { Notice } from './message-view.ts';

/** Those that say the same each time, in the person's language; others name files or figures, in the service's words. */
const SAID = ['index-building', 'index-empty', 'search-by-words', 'nothing-near'] as const;

export function Notices({ notices }: { notices: Notice[] }) {
  const { t } = useTranslation();
  if (notices.length === 0) return null;
  return (
    <div className="mt-4 space-y-2">
      {notices.map(({ code, text }) => {
        const known = SAID.find((each) => each === code);
        return (
          <Banner key={`${code} ${text}`} look={code === 'answer-cut' ? 'warn' : 'calm'}>
            {known === undefined ? text : t(`chat.notices.${known}`)}
          </Banner>
        );
      })}
    </div>
  );
}
