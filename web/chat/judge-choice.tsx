import { useTranslation } from 'react-i18next';
import { useDraft } from '../parts/draft.ts';
import { useWorkspaceSettings } from '../workspaces/queries.ts';

/** The choice for the next questions: as in the settings (empty), on, or off. */
export type JudgeChoice = '' | 'on' | 'off';

/** Returns the choice, stored for this tab by conversation. */
export function useJudgeChoice(conversationId: string) {
  const [kept, onChoose] = useDraft(`judge ${conversationId}`);
  const chosen: JudgeChoice = kept === 'on' || kept === 'off' ? kept : '';
  return { chosen, onChoose, field: judgeField(chosen) };
}

/** Returns the field of a request. If it's absent, the settings decide. */
export function judgeField(chosen: JudgeChoice): { judge?: boolean } {
  return chosen === '' ? {} : { judge: chosen === 'on' };
}

interface Props {
  workspaceId: string;
  chosen: JudgeChoice;
  onChoose: (choice: JudgeChoice) => void;
}

/** The choice whether a model judges the citations of the next answers. */
export function JudgeSelect({ workspaceId, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const inForce = useWorkspaceSettings(workspaceId).data?.citationJudgeInForce;
  if (inForce === undefined) return null;
  return (
    <select
      aria-label={t('chat.judge.label')}
      title={t('chat.judge.note')}
      value={chosen}
      onChange={({ target }) => onChoose(target.value as JudgeChoice)}
      className="min-h-9 max-w-48 min-w-0 truncate rounded-md bg-transparent px-2 text-sm hover:bg-sunken max-sm:max-w-44"
    >
      {(['', 'on', 'off'] as const).map((each) => (
        <option key={each} value={each} className="bg-surface">
          {t(`chat.judge.${each || `default.${inForce}`}`)}
        </option>
      ))}
    </select>
  );
}
