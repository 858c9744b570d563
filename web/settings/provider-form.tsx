import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pastedBaseUrl, pastedKey } from '../../lib/api-contract/pasted.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Connected } from './connected.tsx';
import { readTarget } from './connection-target.ts';
import { Disconnect } from './disconnect.tsx';
import { type Connection, useConnect, useTest } from './model-connections.ts';
import { isOther, ModelSelects, useModelSelects } from './model-selects.tsx';
import type { ChosenModels } from './preselect.ts';
import { isWrongBaseUrl } from './provider-name.ts';
import { TestResult } from './test-result.tsx';

interface Props {
  connection: Connection;
  /** Called without arguments after the connection is removed. */
  onDone: (connected?: Connected) => void;
}

/** The form for a provider's key and URL. The operator's configuration is read-only. */
export function ProviderForm({ connection, onDone }: Props) {
  return connection.source === 'environment' ? (
    <OperatorsConnection connection={connection} />
  ) : (
    <OwnConnection connection={connection} onDone={onDone} />
  );
}

function OperatorsConnection({ connection: { provider, hasKey, baseUrl } }: { connection: Connection }) {
  const { t } = useTranslation();
  const test = useTest(provider);
  return (
    <div className="space-y-4">
      <Banner>{t('models.readOnly')}</Banner>
      <FactList
        facts={[
          [t('models.key'), t(hasKey ? 'models.keySet' : 'models.noKey')],
          [t('models.url'), baseUrl ?? t('models.ownUrl')],
        ]}
      />
      <Button disabled={test.isPending} onClick={() => test.mutate({})}>
        {t(test.isPending ? 'models.testing' : 'models.test')}
      </Button>
      <TestResult test={test} />
    </div>
  );
}

function OwnConnection({ connection, onDone }: Props) {
  const { t } = useTranslation();
  const form = useProviderForm(connection, onDone);
  const { test, save, canTest } = form;
  const isBusy = test.isPending || save.isPending;
  const connectWord = connection.source === 'settings' ? 'parts.save' : 'models.connect';
  const canConnect = canTest && !form.lacksModel && !isBusy;
  return (
    <Form onSend={form.connect} sending={save} isWhole={canConnect}>
      <Fields connection={connection} form={form} />
      <TestResult test={test} />
      {test.data && (test.data.ok || form.needsModel) && (
        <ModelSelects models={test.data.models} selects={form.selects} needsModel={form.needsModel} />
      )}
      {test.data?.ok && form.lacksModel && <p className="text-sm text-muted">{t('models.chooseFirst')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button look="main" type="submit" disabled={!canConnect}>
          {t(test.data && !test.data.ok ? 'models.connectAnyway' : connectWord)}
        </Button>
        <Button disabled={!canTest || isBusy} onClick={form.tryIt}>
          {t(test.isPending ? 'models.testing' : 'models.test')}
        </Button>
        {connection.source === 'settings' && <Disconnect connection={connection} onDone={onDone} />}
      </div>
      <Problem error={save.error} />
    </Form>
  );
}

function Fields({
  connection,
  form,
}: Pick<Props, 'connection'> & { form: ReturnType<typeof useProviderForm> }) {
  const { t } = useTranslation();
  const { provider, hasKey } = connection;
  const keyHint = form.keepsKey ? 'keyKept' : hasKey ? 'keyElsewhere' : 'keyHint';
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t('models.key')}
        hint={t(`models.${keyHint}`)}
        problem={form.keyProblem && t(form.keyProblem)}
        type="password"
        autoComplete="off"
        maxLength={1000}
        value={form.apiKey}
        onChange={form.setApiKey}
      />
      <Field
        label={t('models.url')}
        hint={t(provider === 'a' ? 'models.urlHintOpenai' : 'models.urlHint')}
        inputMode="url"
        autoComplete="off"
        maxLength={500}
        placeholder={t('models.ownUrl')}
        problem={form.urlProblem && t(form.urlProblem)}
        reads={pastedBaseUrl}
        value={form.baseUrl}
        onChange={form.setBaseUrl}
      />
    </div>
  );
}

/**
 * Returns the form's state. *Connect* tests the connection first. It stops if the test fails, after which a
 * person may connect anyway, or if a model must be chosen.
 */
function useProviderForm(connection: Connection, onDone: Props['onDone']) {
  const { provider, baseUrl: before, embeddingModel, source } = connection;
  const test = useTest(provider);
  const save = useConnect(provider);
  const [apiKey, setApiKey] = useState('');
  const [baseUrl, setBaseUrl] = useState(before ?? '');
  const url = pastedBaseUrl(baseUrl);
  const target = readTarget(connection, { key: pastedKey(apiKey), url });
  const { isOwn: needsModel } = target;
  const changed = (set: (text: string) => void) => (text: string) => {
    set(text);
    test.reset();
  };
  const selects = useModelSelects({
    connection: target.isMoved ? undefined : connection,
    offered: test.data?.models ?? [],
    // A stored connection already has its models, and a self-hosted server embeds only if a person names a model.
    suggestsEmbedding: source === 'none' && !needsModel,
  });
  const store = (chosen: ChosenModels) => {
    const fields = selects.fieldsOf(chosen);
    const embedsAnew = isOther(fields.embeddingModel, embeddingModel);
    save.mutate({ ...target.fields, ...fields }, { onSuccess: () => onDone({ embedsAnew }) });
  };
  const tryIt = (goesOn: boolean) =>
    test.mutate(target.fields, {
      onSuccess: ({ ok, models }) => {
        const chosen = selects.chosenOf(models);
        if (ok && goesOn && (chosen.model !== '' || !needsModel)) store(chosen);
      },
    });
  return {
    ...{ test, save, selects, apiKey, baseUrl, needsModel },
    ...{ canTest: target.canTest, keepsKey: target.keepsKey },
    setApiKey: changed(setApiKey),
    setBaseUrl: changed(setBaseUrl),
    keyProblem: target.isWrongKey ? ('models.keyForm' as const) : undefined,
    urlProblem: isWrongBaseUrl(url) ? ('models.urlScheme' as const) : undefined,
    lacksModel: test.data !== undefined && needsModel && selects.model.trim() === '',
    tryIt: () => tryIt(false),
    connect: () => (test.data === undefined ? tryIt(true) : store(selects)),
  };
}
