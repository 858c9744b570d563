import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../languages/languages.ts';
import { SelectField } from '../../parts/field.tsx';
import type { ConfigProps } from './config-props.ts';

const DAYS = ['yesterday', 'today'] as const;

/** The settings of a report: its day, or day of the week, and its language. */
export function ReportConfig({ config, onChange }: ConfigProps) {
  const { t, i18n } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={t('tasks.day')}
        value={String(config.day ?? DAYS[0])}
        options={DAYS.map((day) => [day, t(`tasks.days.${day}`)])}
        onChange={(day) => onChange({ ...config, day })}
      />
      <SelectField
        label={t('settings.language')}
        value={String(config.locale ?? i18n.language)}
        options={Object.entries(LANGUAGES)}
        onChange={(locale) => onChange({ ...config, locale })}
      />
    </div>
  );
}
