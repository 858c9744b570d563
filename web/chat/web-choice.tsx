import { useTranslation } from 'react-i18next';
import { WEB_SEARCH_NAMES } from '../../lib/api-contract/web-search-providers.ts';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { useWorkspaceSettings } from '../workspaces/queries.ts';

/** Returns whether the next questions search the web, stored for this tab by conversation. */
export function useWebChoice(conversationId: string) {
  const [kept, keep] = useDraft(`web ${conversationId}`);
  const isOn = kept === 'on';
  return { isOn, toggle: () => keep(isOn ? '' : 'on'), field: isOn ? { web: true } : {} };
}

type WebChoice = ReturnType<typeof useWebChoice>;

interface Props {
  workspaceId: string;
  web: WebChoice;
}

/**
 * The switch for web search, only where an administrator chose a provider, and for people who may save files, because
 * cited pages are saved.
 */
export function WebSwitch({ workspaceId, web: { isOn, toggle } }: Props) {
  const { t } = useTranslation();
  const name = useProviderName(workspaceId);
  if (name === undefined && !isOn) return null;
  return (
    <Button look="quiet" aria-pressed={isOn} title={t('chat.web.note', { name })} onClick={toggle}>
      {isOn && <Icon name="check" size={14} />}
      {t('chat.web.switch')}
    </Button>
  );
}

/** Says above the text who gets the question, while the switch is on. */
export function WebNote({ workspaceId, web: { isOn } }: Props) {
  const { t } = useTranslation();
  const name = useProviderName(workspaceId);
  if (!isOn || name === undefined) return null;
  return <p className="px-2 pb-1 text-xs text-muted">{t('chat.web.note', { name })}</p>;
}

function useProviderName(workspaceId: string): string | undefined {
  const provider = useWorkspaceSettings(workspaceId).data?.webSearch;
  const maySave = useMay('member', workspaceId);
  return provider && maySave ? WEB_SEARCH_NAMES[provider] : undefined;
}
