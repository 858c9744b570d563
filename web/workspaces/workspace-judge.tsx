import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Card } from '../parts/card.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { SelectField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { JudgeCost } from '../settings/judge-cost.tsx';
import { useChangeWorkspaceSettings, useWorkspaceSettings } from './queries.ts';

/** The workspace's own setting for the citation judge. Users who may not change it see the value that applies. */
export function WorkspaceJudge({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const settings = useWorkspaceSettings(workspaceId).data;
  const change = useChangeWorkspaceSettings(workspaceId);
  const mayChange = useMay('admin', workspaceId);
  if (settings === undefined) return null;
  const { citationJudge, citationJudgeInForce } = settings;
  const choose = (value: string) =>
    change.mutate({ citationJudge: value === '' ? null : (value as 'on' | 'off') });
  return (
    <Card title={t('index.judge.title')}>
      <p className="mb-3 text-sm text-muted">
        {t(`index.judge.${citationJudgeInForce}`)} <JudgeCost />{' '}
        <DocsLink page="guides/chat-and-citations#support">{t('chat.support.docs')}</DocsLink>
      </p>
      {mayChange && (
        <div className="max-w-sm">
          <SelectField
            label={t('index.judge.own')}
            value={citationJudge ?? ''}
            options={[
              ['', t('index.judge.inherit')],
              ['on', t('index.judge.judged')],
              ['off', t('index.judge.codeOnly')],
            ]}
            onChange={choose}
          />
        </div>
      )}
      <Problem error={change.error} />
    </Card>
  );
}
