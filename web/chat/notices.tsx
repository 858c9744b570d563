import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { endingOf, type Notice } from './message-view.ts';

/** Notices that say the same each time. */
const SAID = ['index-building', 'index-empty', 'nothing-near'] as const;

/** Notices that name files, figures, or one of several reasons: the service words them, under a label of ours. */
const ABOUT = [
  'answer-cut',
  'attachment-cut',
  'attachment-empty',
  'attachment-unseen',
  'budget-near',
  'file-not-indexed',
  'mcp-server',
  'search-by-words',
] as const;

export function Notices({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <div className="mt-4 space-y-2">
      {notices.map((notice) => (
        <Banner key={`${notice.code} ${notice.text}`} look={endingOf(notice) === 'cut' ? 'warn' : 'calm'}>
          <Said notice={notice} />
        </Banner>
      ))}
    </div>
  );
}

function Said({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const { code, text } = notice;
  if (endingOf(notice) === 'stopped') return t('chat.notices.stopped');
  const known = SAID.find((each) => each === code);
  if (known !== undefined) return t(`chat.notices.${known}`);
  const about = ABOUT.find((each) => each === code);
  return <ServiceText text={text} label={about && t(`chat.notices.${about}`)} />;
}
