import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLoopbackUrl } from '../../lib/api-contract/loopback.ts';
import { fetchPart } from '../api/fetch-part.ts';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import type { Connected } from './connected.tsx';
import { LocalModels } from './local-models.tsx';
import { type Connection, useConnections } from './model-connections.ts';
import { ProviderForm } from './provider-form.tsx';
import { hostOf, PROVIDERS, type Provider } from './provider-name.ts';
import { useSettings } from './queries.ts';

const ConnectedNext = lazy(async () => ({
  default: (await fetchPart(() => import('./connected.tsx'))).ConnectedNext,
}));

type Tile = Provider | 'local' | 'later';

interface Props {
  onLater?: () => void;
  onConnected?: () => void;
}

/** One tile per way to get a model, with its form below. Only for administrators. */
export function ModelTiles(props: Props) {
  const connections = useConnections();
  return (
    <Loaded query={connections} rows={2} rowClass="h-16">
      {({ connections, asksHost }) => <Tiles connections={connections} asksHost={asksHost} {...props} />}
    </Loaded>
  );
}

interface TilesProps extends Props {
  connections: Connection[];
  asksHost: boolean;
}

function Tiles({ connections, asksHost, onLater, onConnected }: TilesProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Tile>();
  const [connected, setConnected] = useState<Connected>();
  const form = useId();
  const tiles: Tile[] = [
    ...PROVIDERS,
    ...(asksHost ? ['local' as const] : []),
    ...(onLater ? ['later' as const] : []),
  ];
  const choose = (tile: Tile) => {
    if (tile === 'later') onLater?.();
    else setOpened((before) => (before === tile ? undefined : tile));
  };
  const close = (done?: Connected) => {
    setOpened(undefined);
    setConnected(done);
    if (done) onConnected?.();
  };
  const connection = connections.find(({ provider }) => provider === opened);
  const ofOpenai = connections.find(({ provider }) => provider === 'a');
  const isLocal = asksHost && ofOpenai?.source === 'settings' && isLoopback(ofOpenai.baseUrl);
  const connectionOf = (tile: Tile) => {
    if (tile === 'local' || tile === 'a') return (tile === 'local') === isLocal ? ofOpenai : undefined;
    return connections.find(({ provider }) => provider === tile);
  };
  return (
    <div className="space-y-4">
      {onLater && <p className="mb-3 text-sm text-muted">{t('models.note')}</p>}
      <ul aria-label={t('models.ways')} className="grid gap-2 sm:grid-cols-2">
        {tiles.map((tile) => (
          <li key={tile}>
            <TileButton
              tile={tile}
              connection={connectionOf(tile)}
              isOpen={opened === tile}
              form={form}
              onChoose={() => choose(tile)}
            />
          </li>
        ))}
      </ul>
      <div id={form}>
        {connection && <ProviderForm key={connection.provider} connection={connection} onDone={close} />}
        {opened === 'local' && <LocalModels connection={ofOpenai} isConnected={isLocal} onDone={close} />}
      </div>
      <div role="status">
        <Suspense>{connected && opened === undefined && <ConnectedNext {...connected} />}</Suspense>
      </div>
    </div>
  );
}

function isLoopback(baseUrl: string | null): boolean {
  return baseUrl !== null && URL.canParse(baseUrl) && isLoopbackUrl(baseUrl);
}

interface TileProps {
  tile: Tile;
  connection: Connection | undefined;
  isOpen: boolean;
  /** The ID of the form that the tile opens. */
  form: string;
  onChoose: () => void;
}

const ICONS: Record<Tile, IconName> = { a: 'plug', b: 'plug', c: 'plug', local: 'server', later: 'clock' };

function TileButton({ tile, connection, isOpen, form, onChoose }: TileProps) {
  const { t } = useTranslation();
  const isConnected = connection !== undefined && connection.source !== 'none';
  return (
    <button
      type="button"
      {...(tile !== 'later' && { 'aria-expanded': isOpen, 'aria-controls': form })}
      onClick={onChoose}
      className="flex min-h-16 w-full items-start gap-3 rounded-md border border-line bg-surface px-3.5 py-3 text-left hover:bg-sunken aria-expanded:border-accent aria-expanded:bg-accent-soft"
    >
      <span className={`mt-0.5 ${isConnected ? 'text-good' : 'text-muted'}`}>
        <Icon name={isConnected ? 'check' : ICONS[tile]} size={18} />
      </span>
      <span className="min-w-0">
        <span className="block text-sm font-medium">{t(`models.tiles.${tile}`)}</span>
        <span className="block text-xs break-words text-muted">
          {isConnected ? <State connection={connection} /> : t(`models.hints.${tile}`)}
        </span>
      </span>
    </button>
  );
}

/**
 * Says where a connection comes from, its server unless it's the provider's own, and its model if it's the
 * default.
 */
function State({ connection: { provider, source, baseUrl } }: { connection: Connection }) {
  const { t } = useTranslation();
  const host = hostOf({ [provider]: { baseUrl } }, provider);
  const settings = useSettings().data;
  const model = settings?.llmProvider === provider ? settings.llmModel : null;
  const state = t(source === 'environment' ? 'models.fromEnvironment' : 'models.connected');
  return [state, host, model].filter(Boolean).join(' · ');
}
