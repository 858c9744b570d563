import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Labeled } from './labeled.tsx';
import { type DiffLine, diffEdits, type Edit } from './line-diff.ts';
import { showUnseen } from './tool-text.ts';

const SIGNS: Record<DiffLine['sign'], string> = {
  ' ': '',
  '-': 'bg-danger-soft text-danger',
  '+': 'bg-good-soft text-good',
};

interface Props {
  edits: Edit[];
}

/** Drawn again only when the texts differ: other events of the run leave it alone. */
export const Changes = memo(DrawnChanges, ({ edits }, next) => areSame(edits, next.edits));

function areSame(edits: Edit[], next: Edit[]): boolean {
  const isSame = ({ before, after }: Edit, at: number) =>
    before === next[at]?.before && after === next[at].after;
  return edits.length === next.length && edits.every(isSame);
}

function DrawnChanges({ edits }: Props) {
  const { t } = useTranslation();
  const { changes, isCut } = diffEdits(edits);
  return (
    <Labeled label={t('agent.change')}>
      <ScrollRegion
        data-user-content
        label={t('agent.change')}
        className="max-h-96 overflow-auto rounded-sm bg-sunken py-1.5 font-mono text-xs"
      >
        {changes.map((lines, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call comes whole
          <div key={place} className="border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5">
            {lines.map(({ sign, text }, line) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a call comes whole
                key={line}
                className={`px-2.5 break-words whitespace-pre-wrap ${SIGNS[sign]}`}
              >
                {`${sign} ${showUnseen(text)}`}
              </div>
            ))}
          </div>
        ))}
      </ScrollRegion>
      {isCut && <p className="mt-1 text-xs text-warn">{t('agent.changeCut')}</p>}
    </Labeled>
  );
}
