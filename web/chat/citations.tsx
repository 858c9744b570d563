import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../parts/icon.tsx';
import { type Citation, type CitationState, groupByFile } from './message-view.ts';

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
/** The citation whose source is open: filled and underlined. */
const OPEN = 'border-accent bg-accent text-on-accent underline';

interface Props {
  citation: Citation;
  messageId: string;
}

export function CitationChip({ citation, messageId }: Props) {
  const { t } = useTranslation();
  const { chip, icon } = LOOKS[citation.state];
  const isOpen = useIsOpen(sourceOf(messageId, citation));
  const label = t('chat.sourceOf', {
    number: citation.index,
    path: citation.path,
    state: t(`chat.state.${citation.state}`),
  });
  return (
    <SourceLink
      citation={citation}
      messageId={messageId}
      label={label}
      title={`${label}. ${t(`chat.about.${citation.state}`)}`}
      className={`ml-0.5 inline-flex h-5 min-w-5 -translate-y-px items-center justify-center gap-0.5 rounded-sm border px-1 align-baseline text-xs font-semibold tabular-nums hover:underline ${isOpen ? OPEN : `no-underline ${chip}`}`}
    >
      {icon && <Icon name={icon} size={11} />}
      {citation.index}
    </SourceLink>
  );
}

interface ListProps {
  citations: Citation[];
  messageId: string;
  /** The level of the text's own headings. */
  headingLevel: 2 | 3;
}

/** The sources of a text: a card per file, with the passages that it cites. */
export function CitationList({ citations, messageId, headingLevel }: ListProps) {
  const { t } = useTranslation();
  const Heading = `h${headingLevel}` as const;
  if (citations.length === 0) return null;
  return (
    <div className="mt-5">
      <Heading className="mb-2 text-xs font-semibold tracking-wide text-muted uppercase">
        {t('chat.sources')}
      </Heading>
      <ol className="grid grid-cols-1 items-start gap-2 sm:grid-cols-2">
        {groupByFile(citations).map(({ path, passages }) => (
          <li key={path} className="min-w-0 rounded-md border border-line bg-surface p-1.5">
            <p className="flex items-center gap-1.5 px-1.5 pt-1 pb-0.5 text-sm font-medium" title={path}>
              <Icon name="file" size={14} />
              <span className="truncate">{path}</span>
            </p>
            <ol>
              {passages.map((citation) => (
                <li key={citation.index}>
                  <Passage citation={citation} messageId={messageId} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Passage({ citation, messageId }: Props) {
  const { t } = useTranslation();
  const { chip } = LOOKS[citation.state];
  const isOpen = useIsOpen(sourceOf(messageId, citation));
  return (
    <SourceLink
      citation={citation}
      messageId={messageId}
      title={t(`chat.about.${citation.state}`)}
      className={`block rounded-sm border-l-4 px-2 py-1.5 transition-colors hover:bg-sunken ${isOpen ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
    >
      <span className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <span
          className={`min-w-5 shrink-0 rounded-sm border px-1 text-center font-semibold tabular-nums ${isOpen ? OPEN : chip}`}
        >
          {citation.index}
        </span>
        <span className="max-w-full truncate">
          <Place citation={citation} />
        </span>
        <span className="ml-auto">
          <State state={citation.state} />
        </span>
      </span>
      {citation.quote !== '' && (
        <span data-user-content className="mt-1 line-clamp-2 text-xs text-muted">
          {citation.quote}
        </span>
      )}
    </SourceLink>
  );
}

/** What code found when it compared the quote; how, as a tooltip. */
export function State({ state }: { state: CitationState }) {
  const { t } = useTranslation();
  const { text, icon } = LOOKS[state];
  return (
    <span title={t(`chat.about.${state}`)} className={`inline-flex shrink-0 items-center gap-1 ${text}`}>
      <Icon name={icon ?? 'check'} size={13} />
      {t(`chat.state.${state}`)}
    </span>
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

/** The open source, as the URL has it. */
export function sourceOf(messageId: string, { index }: Pick<Citation, 'index'>): string {
  return `${messageId}.${index}`;
}

function useIsOpen(source: string): boolean {
  return useSearch({
    strict: false,
    select: (search: { source?: string | undefined }) => search.source === source,
  });
}

interface SourceLinkProps extends Props {
  label?: string;
  title: string;
  className: string;
  children: React.ReactNode;
}

/** Links to the view that shows it. `data-source` is where the focus returns to when the source closes. */
function SourceLink({ citation, messageId, label, title, className, children }: SourceLinkProps) {
  const source = sourceOf(messageId, citation);
  const isOpen = useIsOpen(source);
  return (
    <Link
      to="."
      search={{ source }}
      resetScroll={false}
      preload={false}
      activeProps={{}}
      data-source={source}
      aria-current={isOpen ? 'true' : undefined}
      aria-label={label}
      title={title}
      className={className}
    >
      {children}
    </Link>
  );
}
