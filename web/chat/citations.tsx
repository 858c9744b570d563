import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { Citation, CitationState } from './message-view.ts';

/** Unlike each other without their color, too: by sign and by line. */
const LOOKS: Record<CitationState, { chip: string; icon?: IconName; text: string }> = {
  verified: { chip: 'border-transparent bg-accent-soft text-accent', text: 'text-good' },
  stale: { chip: 'border-warn border-dashed bg-warn-soft text-warn', icon: 'clock', text: 'text-warn' },
  differs: { chip: 'border-warn border-dotted bg-warn-soft text-warn', icon: 'warn', text: 'text-warn' },
  unverified: {
    chip: 'border-danger border-dotted bg-danger-soft text-danger',
    icon: 'warn',
    text: 'text-danger',
  },
};

interface Props {
  citation: Citation;
  messageId: string;
}

export function CitationChip({ citation, messageId }: Props) {
  const { t } = useTranslation();
  const { chip, icon } = LOOKS[citation.state];
  return (
    <SourceLink
      citation={citation}
      messageId={messageId}
      label={t('chat.sourceOf', {
        number: citation.index,
        path: citation.path,
        state: t(`chat.state.${citation.state}`),
      })}
      className={`ml-0.5 inline-flex h-5 min-w-5 -translate-y-px items-center justify-center gap-0.5 rounded-sm border px-1 align-baseline text-xs font-semibold tabular-nums no-underline hover:underline ${chip}`}
    >
      {icon && <Icon name={icon} size={11} />}
      {citation.index}
    </SourceLink>
  );
}

export function CitationList({ citations, messageId }: { citations: Citation[]; messageId: string }) {
  const { t } = useTranslation();
  if (citations.length === 0) return null;
  return (
    <div className="mt-5">
      <h2 className="mb-2 text-xs font-semibold tracking-wide text-muted uppercase">{t('chat.sources')}</h2>
      <ol className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {citations.map((citation) => (
          <li key={citation.index} className="min-w-0">
            <CitationCard citation={citation} messageId={messageId} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function CitationCard({ citation, messageId }: Props) {
  const { t } = useTranslation();
  const { text, icon } = LOOKS[citation.state];
  return (
    <SourceLink
      citation={citation}
      messageId={messageId}
      className="block h-full rounded-md border border-line bg-surface px-3 py-2.5 transition-colors hover:border-accent"
    >
      <span className="flex items-baseline gap-2 text-sm">
        <span className="font-semibold tabular-nums">{citation.index}</span>
        <span className="truncate font-medium">{citation.path}</span>
        <span className="shrink-0 text-xs text-muted">
          <Place citation={citation} />
        </span>
      </span>
      <span data-user-content className="mt-1 line-clamp-2 text-xs text-muted">
        {citation.quote}
      </span>
      <span className={`mt-1.5 flex items-center gap-1 text-xs ${text}`}>
        <Icon name={icon ?? 'check'} size={13} />
        {t(`chat.state.${citation.state}`)}
      </span>
    </SourceLink>
  );
}

/** Where it stands, in the words of its kind of file. */
export function Place({ citation }: { citation: Pick<Citation, 'startLine' | 'endLine' | 'place'> }) {
  const { t } = useTranslation();
  const { place, startLine, endLine } = citation;
  if (place !== undefined) return t(`chat.place.${place.kind}`, { at: place.at });
  if (startLine === endLine) return t('chat.line', { line: startLine });
  return t('chat.lines', { from: startLine, to: endLine });
}

interface SourceLinkProps extends Props {
  label?: string;
  className: string;
  children: React.ReactNode;
}

/** Links to the view that shows it: the URL has the open source. */
function SourceLink({ citation, messageId, label, className, children }: SourceLinkProps) {
  return (
    <Link
      to="."
      search={{ source: `${messageId}.${citation.index}` }}
      resetScroll={false}
      preload={false}
      aria-label={label}
      title={label}
      className={className}
    >
      {children}
    </Link>
  );
}
