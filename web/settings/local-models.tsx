import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import type { Connected } from './connected.tsx';
import { Disconnect } from './disconnect.tsx';
import { type Connection, useConnect, useLocalModels } from './model-connections.ts';
import { isOther, ModelSelects, useModelSelects } from './model-selects.tsx';

interface Props {
  /** The OpenAI-compatible provider's connection, which a local server would use. */
  connection: Connection | undefined;
  /** True if the connected server is on this host. */
  isConnected: boolean;
  /** Called without arguments after the connection is removed. */
  onDone: (connected?: Connected) => void;
}

/** Model servers on the service's host, which need no key. */
export function LocalModels({ connection, isConnected, onDone }: Props) {
  const { t } = useTranslation();
  const local = useLocalModels();
  const source = connection?.source;
  if (source === 'environment') return <Banner>{t('models.localTaken')}</Banner>;
  return (
    <div className="space-y-4">
      <Loaded query={local} rows={1} rowClass="h-16">
        {({ servers }) => {
          const isAt = ({ baseUrl }: ServerProps['server']) => baseUrl === connection?.baseUrl;
          return (
            <>
              {source === 'settings' && !isConnected && <Banner>{t('models.localReplaces')}</Banner>}
              {servers.length === 0 && <p className="text-sm text-muted">{t('models.noServer')}</p>}
              {servers.map((server) => (
                <ServerForm
                  key={server.baseUrl}
                  server={server}
                  connection={isAt(server) ? connection : undefined}
                  onDone={onDone}
                />
              ))}
            </>
          );
        }}
      </Loaded>
      <p className="text-sm">
        <DocsLink page="guides/local-models">{t('models.guide')}</DocsLink>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon="again" disabled={local.isFetching} onClick={() => void local.refetch()}>
          {t('models.lookAgain')}
        </Button>
        {isConnected && connection && <Disconnect connection={connection} onDone={onDone} />}
      </div>
    </div>
  );
}

const NAMES = { ollama: 'Ollama', 'lm-studio': 'LM Studio', 'llama-cpp': 'llama.cpp', vllm: 'vLLM' };

interface ServerProps {
  server: Schemas['LocalModelServers']['servers'][number];
  /** The connection to this server, if any. */
  connection: Connection | undefined;
  onDone: Props['onDone'];
}

function ServerForm({ server: { kind, baseUrl, models }, connection, onDone }: ServerProps) {
  const { t } = useTranslation();
  const save = useConnect('a');
  const selects = useModelSelects({ connection, offered: models });
  const name = kind === 'other' ? t('models.otherServer') : NAMES[kind];
  const hasChat = models.some((each) => each.kind === 'chat');
  const connect = () => {
    const fields = selects.fieldsOf(selects);
    const embedsAnew = isOther(fields.embeddingModel, connection?.embeddingModel);
    // a server that is already connected keeps its key
    const key = connection === undefined && { apiKey: null };
    save.mutate({ ...key, baseUrl, ...fields }, { onSuccess: () => onDone({ embedsAnew }) });
  };
  return (
    <section aria-label={name} className="rounded-md border border-line p-4">
      <h3 className="mb-3 text-sm font-semibold">
        {name} <span className="font-normal text-muted">{new URL(baseUrl).host}</span>
      </h3>
      {hasChat ? (
        <Form
          onSend={connect}
          sending={save}
          isWhole={selects.model !== ''}
          action={t(connection ? 'parts.save' : 'models.connect')}
        >
          <ModelSelects models={models} selects={selects} needsModel />
        </Form>
      ) : (
        <p className="text-sm text-muted">{t('models.noChatModel', { name })}</p>
      )}
    </section>
  );
}
