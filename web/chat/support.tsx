import { Link, useParams } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  FINDING_WORDS,
  type WordedFinding as Worded,
  wordWithPlaces,
} from '../../lib/api-contract/finding-words.ts';
import { markOf, type SupportMark } from '../../lib/api-contract/findings.ts';
import type { Support } from '../../lib/api-contract/support.ts';
import { placeOf } from '../files/place.ts';
import { Details } from '../parts/details.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Lost } from './lost-quote.ts';
import { aboutOf, isQuoteAlone, namesOf, type Supported } from './support-reason.ts';

interface Look {
  chip: string;
  text: string;
}

const NOT_IN_SOURCE = { chip: 'border-warn border-dashed bg-warn-soft text-warn', text: 'text-warn' };
/** The looks of the states. Shape and line distinguish them without color. */
export const LOOKS: Record<Support, Look> = {
  contradicted: { chip: 'border-danger border-solid bg-danger-soft text-danger', text: 'text-danger' },
  none: NOT_IN_SOURCE,
  partial: NOT_IN_SOURCE,
  unjudged: { chip: 'border-muted border-dotted bg-sunken text-muted', text: 'text-muted' },
  full: { chip: 'border-transparent bg-good-soft text-good', text: 'text-good' },
};

const CIRCLE = 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z';
/**
 * A triangle with a stroke, a square with a cross, a ring with a dot, and a disc with a check. Inner shapes are cut out
 * of filled ones.
 */
const SHAPES: Record<SupportMark, { filled?: string; drawn?: string }> = {
  contradicted: {
    filled:
      'M12 1.500 23.500 21.500a1 1 0 0 1-1 1h-21a1 1 0 0 1-1-1ZM10.700 8v7.500h2.600V8ZM10.700 17.200v2.800h2.600v-2.800Z',
  },
  not_in_source: { drawn: 'M4 4h16v16H4ZM8.500 8.500l7 7 M15.500 8.500l-7 7' },
  facts_found: { filled: 'M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Z', drawn: CIRCLE },
  supported: { filled: `${CIRCLE}M7.500 12.200l1.400-1.400 2.100 2.100 4.600-4.600 1.400 1.400-6 6Z` },
};

/** An icon for use next to text, or in a control with a name; it has no name of its own. */
export function SupportIcon({ support, size }: { support: Support; size: number }) {
  const { filled, drawn } = SHAPES[markOf(support)];
  return (
    <svg
      aria-hidden="true"
      data-support={support}
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={2.2}
      viewBox="0 0 24 24"
      width={size}
    >
      {filled && <path d={filled} fill="currentColor" fillRule="evenodd" stroke="none" />}
      {drawn && <path d={drawn} />}
    </svg>
  );
}

/** Returns the language for the word tables shared by clients. */
function useWordLanguage(): keyof typeof FINDING_WORDS {
  return useTranslation().i18n.language === 'zh-CN' ? 'zh' : 'en';
}

/** Returns a function that describes a state in words, with the facts that the source lacks. */
export function useStateWords(): (supported: Supported) => string {
  const { t } = useTranslation();
  const language = useWordLanguage();
  const words = (supported: Supported) => {
    const { support = 'unjudged', findings } = supported;
    if (isQuoteAlone(supported)) return t('chat.support.quoteFound');
    const state = t(`chat.support.state.${support}`);
    const names = markOf(support) === 'not_in_source' ? namesOf(findings, FINDING_WORDS[language].comma) : '';
    return names === '' ? state : t('chat.support.withNames', { state, names });
  };
  return useCallback(words, [t, language]);
}

/** The state's icon and label, and the facts that the source lacks, with its description as the tooltip. */
export function SupportState({ citation }: { citation: Supported }) {
  const { t } = useTranslation();
  const wordsOf = useStateWords();
  const { support } = citation;
  if (support === undefined) return null;
  return (
    <SupportWord support={support} title={t(`chat.support.about.${aboutOf(citation)}`)}>
      <span data-user-content>{wordsOf(citation)}</span>
    </SupportWord>
  );
}

interface WordProps {
  support: Support;
  title?: string;
  children: ReactNode;
}

function SupportWord({ support, title, children }: WordProps) {
  return (
    <span title={title} className={`inline-flex min-w-0 items-baseline gap-1 ${LOOKS[support].text}`}>
      <span className="shrink-0 translate-y-0.5">
        <SupportIcon support={support} size={14} />
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}

/** The state of a citation whose file no longer has the quote. */
export function LostState({ lost }: { lost: Lost }) {
  const { t } = useTranslation();
  return (
    <span
      title={t(`chat.support.lost.${lost}`)}
      className="inline-flex shrink-0 items-center gap-1 text-warn"
    >
      <Icon name="clock" size={13} />
      {t(`chat.support.lostState.${lost}`)}
    </span>
  );
}

export function StaleState() {
  const { t } = useTranslation();
  return (
    <span title={t('chat.support.about.stale')} className="inline-flex shrink-0 items-center gap-1 text-warn">
      <Icon name="clock" size={13} />
      {t('chat.support.stale')}
    </span>
  );
}

interface DetailsProps {
  citation: Supported;
  className: string;
}

/** The description of the state, the findings, and what the state is based on. Locations are links. */
export function SupportDetails({ citation, className }: DetailsProps) {
  const { t } = useTranslation();
  const language = useWordLanguage();
  const { support, isMissing, by, reason = '', findings = [], checks = [] } = citation;
  if (isMissing || support === undefined) return null;
  const decider = support === 'unjudged' ? 'code' : by;
  const found = checks.flatMap(({ kind, ok }) => (ok ? [t(`chat.support.kinds.${kind}`)] : []));
  return (
    <p className={`text-xs text-muted ${className}`}>
      {t(`chat.support.about.${aboutOf(citation)}`)}{' '}
      {wordWithPlaces(findings, support, language).map((worded) => (
        <WordedFinding key={worded.text} {...worded} />
      ))}
      {decider !== undefined && `${t(`chat.support.by.${decider}`)} `}
      {decider !== 'code' && (
        <span data-user-content className="text-ink">
          {reason}{' '}
        </span>
      )}
      {found.length > 0 && t('chat.support.found', { what: found.join(FINDING_WORDS[language].comma) })}
    </p>
  );
}

function WordedFinding({ text, where }: Worded) {
  const { workspaceId } = useParams({ strict: false });
  if (where === undefined || workspaceId === undefined)
    return (
      <span data-user-content className="text-ink wrap-anywhere">
        {text}{' '}
      </span>
    );
  const { path, startLine = 1, endLine = startLine, page } = where;
  return (
    <>
      <Link
        to="/w/$workspaceId/files"
        params={{ workspaceId }}
        search={placeOf({ path, startLine, endLine, page, text: '' })}
        data-user-content
        className="text-accent underline wrap-anywhere"
      >
        {text}
      </Link>{' '}
    </>
  );
}

/** One state for each look, most alarming first. */
const STATES = ['contradicted', 'none', 'unjudged', 'full'] as const satisfies Support[];

const DOCS = {
  citation: 'guides/chat-and-citations#support',
  draft: 'guides/verify-a-draft#verdicts-in-the-console',
} as const;

interface LegendProps {
  /** What has these states. Those of a draft's sentences have other meanings than those of citations. */
  of: keyof typeof DOCS;
  /** Further rows. */
  children?: ReactNode;
}

/** Explains the shapes. */
export function SupportLegend({ of, children }: LegendProps) {
  const { t } = useTranslation();
  return (
    <Details name={t('chat.support.legend')}>
      <dl className="grid grid-cols-1 gap-x-3 gap-y-1.5 text-sm sm:grid-cols-[auto_1fr]">
        {STATES.map((support) => (
          <div key={support} className="contents">
            <dt>
              <SupportWord support={support}>{t(`chat.support.state.${support}`)}</SupportWord>
            </dt>
            <dd className="text-muted">{t(`chat.support.legends.${of}.${markOf(support)}`)}</dd>
          </div>
        ))}
        {children}
      </dl>
      <p className="mt-2 text-sm text-muted">
        {t(`chat.support.legends.${of}.note`)} <DocsLink page={DOCS[of]}>{t('chat.support.docs')}</DocsLink>
      </p>
    </Details>
  );
}

interface SignProps {
  icon: ComponentProps<typeof Icon>['name'];
  look: string;
  name: string;
  children: ReactNode;
}

/** An icon in a legend that isn't a state of support. */
export function LegendSign({ icon, look, name, children }: SignProps) {
  return (
    <>
      <dt className={`flex items-center gap-1 ${look}`}>
        <Icon name={icon} size={14} />
        {name}
      </dt>
      <dd className="text-muted">{children}</dd>
    </>
  );
}
