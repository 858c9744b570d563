import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Settings, useSettings } from './queries.ts';
import { useDefaultModel, useModels } from './use-models.ts';

type Capabilities = Schemas['ModelCapabilities'];

interface Props {
  /**
   * True to check an unknown model on a self-hosted server immediately, because a person has just connected
   * it.
   */
  startsItself?: boolean;
}

/** The default model's capabilities, with a button to check them. Absent without a model. */
export function ModelCheck({ startsItself = false }: Props) {
  const { t, i18n } = useTranslation();
  const offered = useDefaultModel();
  const { isError: isOff } = useModels();
  const settings = useSettings().data;
  // A stopped server lists no models, but the settings still name its model.
  const found = isOff && settings ? ofSettings(settings) : offered;
  const check = useCheck();
  const started = useRef('');
  const { provider, model } = found ?? {};
  const known = check.data ?? found?.capabilities;
  useEffect(() => {
    if (!startsItself || known || provider !== 'a' || !model || started.current === model) return;
    started.current = model;
    check.mutate({ provider, model });
  }, [startsItself, known, provider, model, check.mutate]);
  if (!provider || !model) return null;
  const isHosted = known !== undefined && known.checkedAt === null;
  return (
    <div className="space-y-2 text-sm" role="status">
      <p>
        {check.isPending ? t('models.check.running', { model }) : <Sentences model={model} known={known} />}
        {known?.checkedAt && !check.isPending && (
          <span className="text-muted">
            {' '}
            {t('models.check.at', { date: new Date(known.checkedAt).toLocaleDateString(i18n.language) })}
          </span>
        )}
      </p>
      {!isHosted && (
        <Button disabled={check.isPending} onClick={() => check.mutate({ provider, model })}>
          {t(known ? 'models.check.again' : 'models.check.start')}
        </Button>
      )}
      {!known && !check.isPending && <p className="text-xs text-muted">{t('models.check.cost')}</p>}
      <Problem error={check.error} />
    </div>
  );
}

function ofSettings({ llmProvider: provider, llmModel: model, capabilities }: Settings) {
  return { provider, model, capabilities: capabilities ?? undefined };
}

function Sentences({ model, known }: { model: string; known: Capabilities | undefined }) {
  const { t } = useTranslation();
  return known === undefined ? t('models.check.unknown', { model }) : capabilitySentences(t, known).join(' ');
}

function useCheck() {
  return useChange(
    { rereads: [['models'], ['settings']] },
    ({ provider, model }: { provider: 'a' | 'b' | 'c'; model: string }) =>
      take(
        api.POST('/api/settings/models/{provider}/check', {
          params: { path: { provider } },
          body: { model },
        }),
      ),
  );
}

/** Returns a model's capabilities, most important first. Omits unknown ones, except for tools. */
function capabilitySentences(t: TFunction, known: Capabilities): string[] {
  const { tools, jsonSchema, thinking, readTokensPerSecond: reads, writeTokensPerSecond: writes } = known;
  const agent = tools === null ? 'toolsUnknown' : tools ? 'tools' : 'noTools';
  return [
    t(`models.check.${agent}`),
    ...(jsonSchema === false ? [t('models.check.noSchema')] : []),
    ...(thinking === true ? [t('models.check.thinks')] : []),
    ...(reads !== null && writes !== null
      ? [t('models.check.speed', { reads: Math.round(reads), writes: Math.round(writes) })]
      : []),
  ];
}
