import { useTranslation } from 'react-i18next';
import { CHAT_PLATFORMS, PLATFORMS, type Platform } from '../../lib/api-contract/chat-platforms.ts';
import { useIsAdminOfAll } from '../access/role.ts';
import { ApiError } from '../api/api-error.ts';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Card } from '../parts/card.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { formatBytes } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Meter } from '../parts/meter.tsx';
import { Problem } from '../parts/problem.tsx';
import { AiBanner } from '../settings/ai-banner.tsx';
import { type Settings, useHealth, useModels, useSettings } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useNetwork, useStorage } from './queries.ts';
import { ReindexCard } from './reindex-card.tsx';
import { StoppedTasks } from './stopped-tasks.tsx';

export function HealthView() {
  const { t } = useTranslation();
  const health = useHealth();
  const isAdmin = useIsAdminOfAll();
  return (
    <>
      <PageHead
        title={t('health.title')}
        note={health.data && t('settings.version', { version: health.data.version })}
        actions={
          health.data && (
            <Badge
              look={health.data.disk === 'full' ? 'warn' : 'good'}
              icon={health.data.disk === 'full' ? 'info' : 'check'}
            >
              {t(health.data.disk === 'full' ? 'health.degraded' : 'health.runs')}
            </Badge>
          )
        }
      />
      <AiBanner />
      <DiskBanner />
      {isAdmin && <StoppedTasks />}
      <Problem error={health.error} onRetry={() => health.refetch()} />
      {isAdmin && <PartsCard />}
      <StorageCard />
      <DataCard />
      <NetworkCard />
      {isAdmin && <ReindexCard />}
    </>
  );
}

function isPlatform(part: string): part is Platform {
  return part in CHAT_PLATFORMS;
}

/** The configured parts of the service, for callers who may see the settings. */
function PartsCard() {
  const { t } = useTranslation();
  const settings = useSettings().data;
  return (
    <Card title={t('health.parts')}>
      {settings ? (
        <FactList
          facts={partsOf(settings).map(([part, isThere]) => [
            isPlatform(part) ? t(`bots.names.${part}`) : t(`health.part.${part}`),
            part === 'model' && isThere ? (
              <ModelState key={part} settings={settings} />
            ) : (
              <PartState key={part} isThere={isThere} />
            ),
          ])}
        />
      ) : (
        <Skeletons rows={4} />
      )}
    </Card>
  );
}

/** Error codes that aren't about the key, because some servers don't list their models. */
const LISTS_NOTHING = ['model_answer_unusable', 'model_not_found'];

/** Shows whether the default provider currently accepts the key, by requesting its model list, which is free. */
function ModelState({ settings: { llmProvider } }: { settings: Settings }) {
  const { t } = useTranslation();
  const models = useModels(llmProvider ?? undefined);
  const { error } = models;
  if (models.isPending) return <Badge look="calm">{t('health.testing')}</Badge>;
  if (error instanceof ApiError && LISTS_NOTHING.includes(error.code ?? ''))
    return (
      <Badge look="calm" icon="info">
        {t('health.untested')}
      </Badge>
    );
  if (error !== null)
    return (
      <div className="space-y-2">
        <Badge look="warn" icon="warn">
          {t('health.failing')}
        </Badge>
        <Problem error={error} onRetry={() => models.refetch()} />
      </div>
    );
  return (
    <Badge look="good" icon="check">
      {t('health.works')}
    </Badge>
  );
}

function PartState({ isThere }: { isThere: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge look={isThere ? 'good' : 'calm'} icon={isThere ? 'check' : 'info'}>
      {t(isThere ? 'health.setUp' : 'health.notSetUp')}
    </Badge>
  );
}

function partsOf({ aiAvailable, embedding, cluster, codeHostToken, hubAToken, bots }: Settings) {
  const isReady = ({ enabled, missing }: Settings['bots'][Platform]) => enabled && missing.length === 0;
  return [
    ['model', aiAvailable],
    ['embedding', embedding.configured],
    ['codeHost', codeHostToken.configured],
    ['hub', hubAToken.configured],
    ['cluster', cluster.configured],
    ...PLATFORMS.map((platform) => [platform, isReady(bots[platform])] as const),
  ] as const;
}

function StorageCard() {
  const { t, i18n } = useTranslation();
  const storage = useStorage();
  const size = (bytes: number) => formatBytes(bytes, i18n.language);
  return (
    <Card title={t('health.storage')}>
      <Loaded query={storage} rows={1}>
        {({ roots }) => (
          <ul className="space-y-3">
            {roots.map(({ path, totalBytes, freeBytes }) => (
              <li key={path} className="text-sm">
                <div className="mb-1.5 flex flex-wrap justify-between gap-x-4">
                  <span className="min-w-0 break-all">{path}</span>
                  <span className="shrink-0 text-muted">
                    {t('health.free', { free: size(freeBytes), total: size(totalBytes) })}
                  </span>
                </div>
                <Meter label={t('health.usedOf', { path })} share={1 - freeBytes / Math.max(1, totalBytes)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

/** Disk usage of the data folder, which the API reports only to administrators. */
function DataCard() {
  const { t, i18n } = useTranslation();
  const data = useStorage().data?.data;
  if (data === undefined) return null;
  const parts = data.parts.filter(({ bytes }) => bytes > 0).toSorted((a, b) => b.bytes - a.bytes);
  return (
    <Card title={t('health.data')}>
      <FactList
        facts={parts.map(({ name, bytes }) => [
          t(`health.dataPart.${name}`),
          formatBytes(bytes, i18n.language),
        ])}
      />
      {!data.isComplete && <p className="mt-3 text-sm text-muted">{t('health.dataIncomplete')}</p>}
    </Card>
  );
}

function NetworkCard() {
  const { t, i18n } = useTranslation();
  const network = useNetwork();
  const { rxBytesPerSecond = 0, txBytesPerSecond = 0, sampledMs } = network.data ?? {};
  const rate = (bytes: number) => t('health.perSecond', { size: formatBytes(bytes, i18n.language) });
  return (
    <Card title={t('health.network')}>
      <Problem error={network.error} onRetry={() => network.refetch()} />
      {sampledMs === 0 ? (
        <p className="text-sm text-muted">{t('health.noNetwork')}</p>
      ) : (
        <dl className="grid grid-cols-2 gap-4">
          {[
            [t('health.in'), rate(rxBytesPerSecond)],
            [t('health.out'), rate(txBytesPerSecond)],
          ].map(([name, value]) => (
            <div key={name}>
              <dt className="text-xs text-muted">{name}</dt>
              <dd className="text-lg font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

/** Shows that the disk is full, or soon will be. */
function DiskBanner() {
  const { t } = useTranslation();
  const disk = useHealth().data?.disk ?? 'ok';
  if (disk === 'ok') return null;
  return <Banner>{t(`health.disk.${disk}`)}</Banner>;
}
