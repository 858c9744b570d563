import { useTranslation } from 'react-i18next';
import type { Research } from './research.ts';

/** Minimum sections. A shorter report fits on the screen. */
const MIN_SECTIONS = 3;

export function sectionId(place: number): string {
  return `section-${place + 1}`;
}

/** Scrolls to a heading and focuses it. */
function goTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** A report's table of contents. */
export function ReportContents({ sections }: Pick<Research, 'sections'>) {
  const { t } = useTranslation();
  if (sections.length < MIN_SECTIONS) return null;
  return (
    <nav aria-label={t('research.contents')}>
      <p className="text-sm font-semibold text-muted">{t('research.contents')}</p>
      <ol className="mt-1 list-decimal space-y-0.5 pl-5 text-sm">
        {sections.map(({ heading }, place) => (
          <li key={heading} className="break-words">
            <a
              href={`#${sectionId(place)}`}
              onClick={(event) => {
                event.preventDefault();
                goTo(sectionId(place));
              }}
              data-user-content
              className="inline-block py-0.5 text-accent hover:underline"
            >
              {heading}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
