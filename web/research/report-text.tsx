import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { sentenceCounts } from '../../lib/api-contract/report-places.ts';
import { LostLine } from '../chat/lost-line.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { FootnoteLink, ReportCitations } from './footnote-link.tsx';
import { countNotFound, type Footnotes, numberFootnotes, placeOfId } from './footnotes.ts';
import { ReportContents, sectionId } from './report-contents.tsx';
import { ReportSources } from './report-sources.tsx';
import type { Research } from './research.ts';

type Section = Research['sections'][number];
type Sentence = Section['paragraphs'][number][number];

interface Props {
  research: Research;
  isOpen: boolean;
}

/** The report. Its sentences are plain text, never Markdown. */
export function ReportText({ research, isOpen }: Props) {
  const { t } = useTranslation();
  const citations = use(ReportCitations);
  const { sections, openQuestions } = research;
  if (sections.length === 0)
    return (
      <EmptyState
        icon="report"
        title={t(isOpen ? 'research.notYet' : 'research.noReport')}
        next={t(isOpen ? 'research.notYetNext' : 'research.noReportNext')}
      />
    );
  const footnotes = numberFootnotes(research);
  return (
    <article className="space-y-7" aria-busy={isOpen}>
      <Counts counts={research.counts} notFound={countNotFound(footnotes)} />
      <LostLine citations={footnotes.cited.flatMap(({ id }) => citations.get(id)?.citation ?? [])} />
      <ReportContents sections={sections} />
      {sections.map((section, place) => (
        <SectionView
          key={section.heading}
          place={place}
          section={section}
          research={research}
          footnotes={footnotes}
        />
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
      <ReportSources research={research} footnotes={footnotes} />
    </article>
  );
}

/** Says in one sentence what code checked. */
function Counts({ counts, notFound }: Pick<Research, 'counts'> & { notFound: number }) {
  const { t } = useTranslation();
  const { supported, stated, marked, plain, dropped, judged } = sentenceCounts(counts);
  const others = [
    notFound > 0
      ? t('research.checkedPartly', { count: notFound })
      : t(judged ? 'research.checkedHow' : 'research.checkedByCode'),
    judged && t('research.judged'),
    marked > 0 && t('research.flagged', { count: marked }),
    plain > 0 && t('research.plain', { count: plain }),
    dropped > 0 && t('research.removed', { count: dropped }),
  ].filter((each) => each !== false);
  if (stated === 0) return null;
  return (
    <div className="flex items-start gap-2.5 rounded-lg border border-line bg-surface p-4">
      <span className={`mt-0.5 ${supported === stated ? 'text-good' : 'text-warn'}`}>
        <Icon name={supported === stated ? 'check' : 'warn'} />
      </span>
      <div>
        <p className="font-medium">
          {t(judged ? 'research.supportedOf' : 'research.quotedOf', { supported, count: stated })}
        </p>
        <p className="text-sm text-muted">{others.join(' ')}</p>
      </div>
    </div>
  );
}

interface SectionProps {
  section: Section;
  research: Research;
  footnotes: Footnotes;
}

function SectionView({ place, section, research, footnotes }: SectionProps & { place: number }) {
  const { heading, paragraphs } = section;
  const marked = paragraphs.flat().filter(({ state }) => state === 'marked');
  return (
    <section>
      <h2
        id={sectionId(place)}
        tabIndex={-1}
        data-user-content
        className="mb-2 scroll-mt-4 text-lg font-semibold break-words"
      >
        {heading}
      </h2>
      <div className="space-y-3">
        {paragraphs.map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a section comes whole
          <p key={index} data-user-content className="break-words">
            {paragraph.map((sentence, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a section comes whole
              <SentenceView key={at} sentence={sentence} research={research} footnotes={footnotes} />
            ))}
          </p>
        ))}
      </div>
      {marked.length > 0 && <Reasons sentences={marked} />}
    </section>
  );
}

/** A sentence. If it has no support, it has a line and an icon, and a text for screen readers. */
function SentenceView({
  sentence,
  research,
  footnotes,
}: Omit<SectionProps, 'section'> & { sentence: Sentence }) {
  const { t } = useTranslation();
  const { text, state, evidence } = sentence;
  const markers = [...new Set(evidence.map((id) => placeOfId(footnotes, id)))].map((id) => (
    <FootnoteLink key={id} research={research} evidenceId={id} sentence={text} />
  ));
  if (state !== 'marked')
    return (
      <>
        {text}
        {markers}{' '}
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
      {markers}{' '}
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
