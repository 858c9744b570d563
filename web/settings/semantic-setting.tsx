import { useTranslation } from 'react-i18next';
import { SwitchField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Settings, useChangeSettings } from './queries.ts';

/** The embedding model, and whether it's used at all. There is nothing to choose where none is configured. */
export function SemanticSetting({ settings: { embedding, semanticSearch } }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const isOn = semanticSearch === 'on';
  if (isOn && !embedding.configured) return t('settings.keywordOnly');
  return (
    <div className="space-y-1">
      {isOn && <p>{embedding.model ?? t('settings.providerDefault')}</p>}
      <SwitchField
        label={t('models.semantic.switch')}
        hint={t('models.semantic.hint')}
        value={isOn}
        onChange={(on) => change.mutateAsync({ semanticSearch: on ? 'on' : 'off' })}
      />
      <Problem error={change.error} />
    </div>
  );
}
