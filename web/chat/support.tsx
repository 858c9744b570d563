import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Support } from '../../lib/api-contract/citation.ts';
import { Details } from '../parts/details.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Lost } from './lost-quote.ts';
import { aboutOf, type Supported, whyOf } from './support-reason.ts';

/** Unlike each other without their color, too: by shape and by line. */
export const LOOKS: Record<Support, { chip: string; text: string }> = {
  full: { chip: 'border-transparent bg-good-soft text-good', text: 'text-good' },
  partial: { chip: 'border-warn border-dashed bg-warn-soft text-warn', text: 'text-warn' },
  none: { chip: 'border-danger border-dotted bg-danger-soft text-danger', text: 'text-danger' },
  contradicted: { chip: 'border-danger border-double bg-danger-soft text-danger', text: 'text-danger' },
  unjudged: { chip: 'border-transparent bg-accent-soft text-accent', text: 'text-muted' },
};

const CIRCLE = 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z';
/** What is cut out of a filled shape, and what is only drawn. */
const SHAPES: Record<Support, { filled?: string; drawn?: string }> = {
  full: { filled: `${CIRCLE}M7.500 12.200l1.400-1.400 2.100 2.100 4.600-4.600 1.400 1.400-6 6Z` },
  partial: { filled: 'M12 3a9 9 0 0 0 0 18Z', drawn: CIRCLE },
  none: { drawn: `${CIRCLE}M15 9l-6 6 M9 9l6 6` },
  contradicted: {
    drawn: 'M12 9v4 M12 17h.01 M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  },
  unjudged: { drawn: CIRCLE },
};

/** Next to a text, or in a control that has a name: it has no name of its own. */
export function SupportIcon({ support, size }: { support: Support; size: number }) {
  const { filled, drawn } = SHAPES[support];
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

/** One of the four states, with its shape; what it means, as a tooltip. */
export function SupportState({ citation }: { citation: Supported }) {
  const { t } = useTranslation();
  const { support } = citation;
  if (support === undefined) return null;
  return <SupportWord support={support} title={t(`chat.support.about.${aboutOf(citation)}`)} />;
}

function SupportWord({ support, title }: { support: Support; title?: string }) {
  const { t } = useTranslation();
  return (
    <span title={title} className={`inline-flex shrink-0 items-center gap-1 ${LOOKS[support].text}`}>
      <SupportIcon support={support} size={14} />
      {t(`chat.support.state.${support}`)}
    </span>
  );
}

/** Replaces the state of a citation whose file no longer has the quote. */
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

/** What code compared, and what a model judged. Nothing where neither did. */
export function SupportDetails({ citation, className }: DetailsProps) {
  const { t } = useTranslation();
  const { support, isMissing, checks = [] } = citation;
  const { isJudged, otherwise, what, text } = whyOf(citation);
  if (isMissing || support === undefined) return null;
  if (!isJudged && otherwise === undefined && text === '' && checks.length === 0) return null;
  const byCode = checks.map(({ kind, ok, detail = '–' }) => {
    const what = t(`chat.support.kinds.${kind}`);
    return ok ? t('chat.support.found', { what }) : t('chat.support.lacking', { what, detail });
  });
  return (
    <span className={`block text-xs text-muted ${className}`}>
      {otherwise && (
        <b data-user-content className={otherwise === 'maybeOtherwise' ? '' : 'text-danger'}>
          {t(`chat.support.${otherwise}`, { what })}{' '}
        </b>
      )}
      {isJudged && `${t('chat.support.by.model')} `}
      {text !== '' && (
        <span data-user-content className="text-ink">
          {text}{' '}
        </span>
      )}
      {byCode.length > 0 && (
        <span className="block">{`${t('chat.support.by.code')} ${byCode.join(' · ')}`}</span>
      )}
    </span>
  );
}

/** One row for each word: `none` and `contradicted` have the same. */
const STATES = ['full', 'partial', 'none', 'unjudged'] as const satisfies Support[];

const DOCS = {
  citation: 'guides/chat-and-citations#support',
  draft: 'guides/verify-a-draft#verdicts-in-the-console',
} as const;

interface LegendProps {
  /** The states of a draft's sentences mean something else than those of citations. */
  of: keyof typeof DOCS;
  /** Further rows. */
  children?: ReactNode;
}

/** The meaning of the shapes. */
export function SupportLegend({ of, children }: LegendProps) {
  const { t } = useTranslation();
  return (
    <Details name={t('chat.support.legend')}>
      <dl className="grid grid-cols-1 gap-x-3 gap-y-1.5 text-sm sm:grid-cols-[auto_1fr]">
        {STATES.map((support) => (
          <div key={support} className="contents">
            <dt>
              <SupportWord support={support} />
              {support === 'none' && (
                <span className={`ml-1 inline-flex align-middle ${LOOKS.contradicted.text}`}>
                  <SupportIcon support="contradicted" size={14} />
                </span>
              )}
            </dt>
            <dd className="text-muted">{t(`chat.support.legends.${of}.${support}`)}</dd>
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

/** A sign in a legend that is no state of support. */
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
