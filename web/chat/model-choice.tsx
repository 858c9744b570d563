import { useTranslation } from 'react-i18next';
import { useModels } from '../settings/use-models.ts';

/** A model for one question; without it, the service uses the default model. */
export interface ModelChoice {
  provider: 'a' | 'b' | 'c';
  model: string;
}

const KEPT = 'model';

/** Returns the last model chosen in this browser. */
export function readModelChoice(): ModelChoice | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '') as ModelChoice;
  } catch {
    return undefined;
  }
}

export function keepModelChoice(choice: ModelChoice | undefined): void {
  if (choice) localStorage.setItem(KEPT, JSON.stringify(choice));
  else localStorage.removeItem(KEPT);
}

interface Props {
  chosen: ModelChoice | undefined;
  onChoose: (choice: ModelChoice | undefined) => void;
}

/** The choice of a model; absent if there is nothing to choose. */
export function ModelSelect({ chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const models = useModels();
  if (!models.data || models.data.models.length < 2) return null;
  const { provider } = models.data;
  const choose = (model: string) => {
    onChoose(model === '' ? undefined : { provider, model });
  };
  const isThere = models.data.models.some(({ id }) => id === chosen?.model);
  return (
    <select
      aria-label={t('chat.model')}
      value={chosen?.model ?? ''}
      onChange={({ target }) => choose(target.value)}
      className="min-h-9 max-w-40 min-w-0 truncate max-sm:max-w-28 rounded-md bg-transparent px-2 text-sm hover:bg-sunken"
    >
      <option value="" className="bg-surface">
        {t('chat.defaultModel')}
      </option>
      {chosen && !isThere && (
        <option value={chosen.model} className="bg-surface">
          {chosen.model}
        </option>
      )}
      {models.data.models.map(({ id, name }) => (
        <option key={id} value={id} className="bg-surface">
          {name}
        </option>
      ))}
    </select>
  );
}
