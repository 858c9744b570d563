import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';

const LOOKS = { allow: 'good', ask: 'warn', deny: 'danger', depends: 'calm' } as const;
const ICONS = { allow: 'check', ask: 'hand', deny: 'close', depends: 'list' } as const;

/** The action of the rules for a call; `depends` for a tool whose calls they handle differently. */
export function ActionBadge({ action }: { action: keyof typeof LOOKS }) {
  const { t } = useTranslation();
  return (
    <Badge look={LOOKS[action]} icon={ICONS[action]}>
      {t(`permissions.actions.${action}`)}
    </Badge>
  );
}
