import { useTranslation } from 'react-i18next';
import { Problem } from '../parts/problem.tsx';
import { SetPrice } from '../settings/no-price.tsx';
import { useHealth } from '../settings/queries.ts';
import { formatCost } from './format-cost.ts';
import { useDepths } from './queries.ts';
import type { Depth } from './research.ts';
import type { SourceName } from './start-draft.ts';

interface Props {
  workspaceId: string;
  sources: SourceName[];
  depth: Depth;
  onChange: (depth: Depth) => void;
}

const NAMES: Depth[] = ['quick', 'standard', 'deep'];

/** The choice of a depth, with the estimate for each depth before anything starts. */
export function DepthChoice({ workspaceId, sources, depth, onChange }: Props) {
  const { t } = useTranslation();
  const depths = useDepths(workspaceId, sources);
  const hasAi = useHealth().data?.aiAvailable !== false; // without a model, the banner above explains it
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-muted">{t('research.depth')}</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-3">
        {NAMES.map((name) => (
          <label
            key={name}
            className="cursor-pointer rounded-md border border-line px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="depth"
              checked={name === depth}
              onChange={() => onChange(name)}
              className="sr-only"
            />
            <span className="font-medium">{t(`research.depths.${name}`)}</span>
            <Takes of={depths.data?.find((each) => each.depth === name)} />
          </label>
        ))}
      </div>
      {depths.data?.some(({ estimate }) => estimate.costUsd === null) && (
        <p className="mt-1.5 text-xs text-muted">
          {t('settings.noPrice')} <SetPrice />
        </p>
      )}
      {depths.error && hasAi && <Problem error={depths.error} />}
    </fieldset>
  );
}

/** The estimate of a depth. Its height is reserved before the text arrives. */
function Takes({ of }: { of: NonNullable<ReturnType<typeof useDepths>['data']>[number] | undefined }) {
  const { t, i18n } = useTranslation();
  if (of === undefined) return <span className="block h-[3.4rem] sm:h-[5.7rem]" />;
  const { calls, costUsd } = of.estimate;
  const cost = costUsd === null ? undefined : formatCost(costUsd, i18n.language);
  return (
    <span className="block min-h-[3.4rem] text-xs text-muted sm:min-h-[5.7rem]">
      <span className="block text-balance">
        {t('research.reads', { questions: of.questions, passages: of.passages })}
      </span>
      <span className="block">{t('research.atMost', { calls })}</span>
      {cost !== undefined && <span className="block">{t('research.cost', { cost })}</span>}
    </span>
  );
}
