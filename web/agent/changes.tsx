import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Labeled } from './labeled.tsx';
import { type DiffLine, diffEdits, type Edit } from './line-diff.ts';
import { LongRegion } from './long-region.tsx';
import { showChangedLine, showUnseen } from './tool-text.ts';

const SIGNS: Record<DiffLine['sign'], string> = {
  ' ': '',
  '-': 'bg-danger-soft text-danger',
  '+': 'bg-good-soft text-good',
};

function shown(sign: DiffLine['sign'], text: string): string {
  return `${sign} ${sign === ' ' ? showUnseen(text) : showChangedLine(text)}`;
}

interface Props {
  /**
   * The file is shown separately, because its name may be too long for the service's description of the call.
   */
  path: string | undefined;
  edits: Edit[];
}

/** Rendered again only if the texts differ, and not for other events of the run. */
export const Changes = memo(
  DrawnChanges,
  ({ path, edits }, next) => path === next.path && areSame(edits, next.edits),
);

function areSame(edits: Edit[], next: Edit[]): boolean {
  const isSame = ({ before, after }: Edit, at: number) =>
    before === next[at]?.before && after === next[at].after;
  return edits.length === next.length && edits.every(isSame);
}

function DrawnChanges({ path, edits }: Props) {
  const { t } = useTranslation();
  const { changes, isCut } = diffEdits(edits);
  return (
    <Labeled label={t('agent.change')}>
      {path !== undefined && (
        <p data-user-content className="mb-1 font-mono text-xs break-all whitespace-pre-wrap">
          {showUnseen(path)}
        </p>
      )}
      <LongRegion
        data-user-content
        label={t('agent.change')}
        className="max-h-96 overflow-auto rounded-sm bg-sunken py-1.5 font-mono text-xs"
      >
        {changes.map((lines, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call comes whole
          <div key={place} className="border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5">
            {lines.map(({ sign, text, folded, isOpen }, line) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a call comes whole
                key={line}
                className={`px-2.5 break-words whitespace-pre-wrap ${folded ? 'text-muted' : SIGNS[sign]}`}
              >
                {folded ? t('agent.unchanged', { count: folded }) : shown(sign, text)}
                {isOpen && <span className="text-muted italic"> {t('agent.noLineBreak')}</span>}
              </div>
            ))}
          </div>
        ))}
      </LongRegion>
      {isCut && <p className="mt-1 text-xs text-warn">{t('agent.changeCut')}</p>}
    </Labeled>
  );
}
