import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { FootnoteLink } from './footnote-link.tsx';
import { numberFootnotes } from './footnotes.ts';
import { Sum } from './progress-panel.tsx';
import type { Research } from './research.ts';

type Section = Research['sections'][number];
type Sentence = Section['paragraphs'][number][number];

interface Props {
  research: Research;
  isOpen: boolean;
}

/** Sentences are text, never Markdown: nothing in them becomes anything else. */
export function ReportText({ research, isOpen }: Props) {
  const { t } = useTranslation();
  const { sections, openQuestions } = research;
  if (sections.length === 0)
    return (
      <EmptyState
        icon="report"
        title={t(isOpen ? 'research.notYet' : 'research.noReport')}
        next={t(isOpen ? 'research.notYetNext' : 'research.noReportNext')}
      />
    );
  const numbers = numberFootnotes(research);
  return (
    <article className="space-y-7" aria-busy={isOpen}>
      <Counts counts={research.counts} />
      {sections.map((section) => (
        <SectionView key={section.heading} section={section} research={research} numbers={numbers} />
      ))}
      {openQuestions.length > 0 && (
        <section className="rounded-lg bg-sunken p-4">
          <h2 className="font-semibold">{t('research.openQuestions')}</h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {openQuestions.map((question) => (
              <li key={question} data-user-content className="break-words">
                {question}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

const COUNTS = ['sentences', 'supported', 'marked', 'dropped'] as const;

function Counts({ counts }: Pick<Research, 'counts'>) {
  const { t } = useTranslation();
  return (
    <dl
      aria-label={t('research.counts')}
      className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-4"
    >
      {COUNTS.map((name) => (
        <Sum key={name} name={t(`research.${name}`)}>
          {counts[name]}
        </Sum>
      ))}
    </dl>
  );
}

interface SectionProps {
  section: Section;
  research: Research;
  numbers: Map<string, number>;
}

function SectionView({ section, research, numbers }: SectionProps) {
  const { heading, paragraphs } = section;
  const marked = paragraphs.flat().filter(({ state }) => state === 'marked');
  return (
    <section>
      <h2 data-user-content className="mb-2 text-lg font-semibold break-words">
        {heading}
      </h2>
      <div className="space-y-3">
        {paragraphs.map((paragraph, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a section comes whole
          <p key={place} data-user-content className="break-words">
            {paragraph.map((sentence, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a section comes whole
              <SentenceView key={at} sentence={sentence} research={research} numbers={numbers} />
            ))}
          </p>
        ))}
      </div>
      {marked.length > 0 && <Reasons sentences={marked} />}
    </section>
  );
}

/** Sentences without support differ by a line and an icon, and have a text for screen readers. */
function SentenceView({
  sentence,
  research,
  numbers,
}: Omit<SectionProps, 'section'> & { sentence: Sentence }) {
  const { t } = useTranslation();
  const { text, state, evidence } = sentence;
  const footnotes = evidence.map((id) => (
    <FootnoteLink key={id} research={research} evidenceId={id} number={numbers.get(id) ?? 0} />
  ));
  if (state !== 'marked')
    return (
      <>
        {text}
        {footnotes}{' '}
      </>
    );
  return (
    <>
      <span className="border-b-2 border-dotted border-warn bg-warn-soft/60">
        <span
          role="img"
          aria-label={t('research.markedSentence')}
          title={t('research.markedSentence')}
          className="mr-1 inline-block align-[-2px] text-warn"
        >
          <Icon name="warn" size={14} />
        </span>
        {text}
      </span>
      {footnotes}{' '}
    </>
  );
}

function Reasons({ sentences }: { sentences: Sentence[] }) {
  const { t } = useTranslation();
  return (
    <details className="mt-3 rounded-md border border-line text-sm">
      <summary className="flex min-h-9 items-center gap-2 px-3 text-warn">
        <Icon name="warn" size={14} />
        {t('research.why')}
      </summary>
      <ul className="space-y-2 border-t border-line p-3">
        {sentences.map(({ text, reasons = [] }) => (
          <li key={text} className="break-words">
            <span data-user-content>{text}</span>
            <div className="text-muted">
              {reasons.length > 0 ? (
                <ServiceText text={reasons.join('; ')} label={t('research.markedSentence')} />
              ) : (
                t('research.markedSentence')
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
