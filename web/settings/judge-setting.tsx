import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { SwitchField } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { JudgeCost } from './judge-cost.tsx';
import { type Settings, useChangeSettings, useHealth, useSettings } from './queries.ts';
import { useDefaultModel } from './use-models.ts';

/** The setting whether a model judges the citations of answers, in every workspace without its own value. */
export function JudgeSetting({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const { citationJudge, citationJudgeSource, aiAvailable } = settings;
  return (
    <div className="space-y-1">
      <SwitchField
        label={t('models.judge.switch')}
        hint={
          <>
            {aiAvailable ? <JudgeCost /> : t('models.judge.noModel')}{' '}
            <DocsLink page="guides/chat-and-citations#support">{t('models.judge.docs')}</DocsLink>
          </>
        }
        value={citationJudge === 'on'}
        onChange={(isOn) => change.mutateAsync({ citationJudge: isOn ? 'on' : 'off' })}
      />
      {citationJudgeSource === 'settings' && (
        <Button
          look="quiet"
          disabled={change.isPending}
          onClick={() => change.mutate({ citationJudge: null })}
        >
          {t('models.judge.reset')}
        </Button>
      )}
      <Problem error={change.error} />
    </div>
  );
}

/**
 * Offers the judge once a model is connected, until the person chooses. The choice is saved as the setting.
 */
export function JudgeOffer() {
  const { t } = useTranslation();
  const settings = useSettings().data;
  const aiAvailable = useHealth().data?.aiAvailable === true;
  // the judge's verdicts are JSON
  const canJudge = useDefaultModel()?.capabilities?.jsonSchema !== false;
  const change = useChangeSettings();
  const decide = (citationJudge: 'on' | 'off') => change.mutate({ citationJudge });
  const isOpen = settings?.citationJudgeSource === 'environment' && settings.citationJudge === 'off';
  if (!aiAvailable || !isOpen) return null;
  return (
    <>
      <Banner>
        <p>{t('models.judge.offer')}</p>
        <p className="mt-1 text-muted">
          <JudgeCost /> {t('models.judge.later')}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button look={canJudge ? 'main' : 'plain'} disabled={change.isPending} onClick={() => decide('on')}>
            {t('models.judge.accept')}
          </Button>
          <Button disabled={change.isPending} onClick={() => decide('off')}>
            {t('models.judge.decline')}
          </Button>
        </div>
      </Banner>
      <Problem error={change.error} />
    </>
  );
}
