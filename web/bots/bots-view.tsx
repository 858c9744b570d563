import { useTranslation } from 'react-i18next';
import { CHAT_PLATFORMS, PLATFORMS, type Platform } from '../../lib/api-contract/chat-platforms.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Badge } from '../parts/badge.tsx';
import { Banner } from '../parts/banner.tsx';
import { Card } from '../parts/card.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { Field } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useSettings } from '../settings/queries.ts';
import { PageHead } from '../shell/page-head.tsx';
import { isReachable } from './reachable.ts';

type Bots = Schemas['Settings']['bots'];

/**
 * The settings of each bot, and the missing ones. They are changed elsewhere: by variables on the host, and
 * in the platform's own console.
 */
export function BotsView() {
  const { t } = useTranslation();
  const settings = useSettings();
  return (
    <>
      <PageHead title={t('bots.title')} note={t('bots.note')} />
      <Loaded query={settings} rows={2} rowClass="h-40">
        {({ bots }) => PLATFORMS.map((name) => <Bot key={name} name={name} bot={bots[name]} />)}
      </Loaded>
    </>
  );
}

interface BotProps {
  name: Platform;
  bot: Bots[Platform];
}

function Bot({ name, bot: { enabled, missing, connection } }: BotProps) {
  const { t } = useTranslation();
  /** The platform calls a bot at a URL, unless the bot connects to the platform. */
  const isCalled = connection !== 'websocket';
  const isReady = enabled && missing.length === 0;
  const state = isReady ? 'ready' : enabled ? 'lacking' : 'off';
  return (
    <Card title={t(`bots.names.${name}`)}>
      <div className="space-y-4 text-sm">
        <Badge look={isReady ? 'good' : enabled ? 'warn' : 'calm'} icon={isReady ? 'check' : 'info'}>
          {t(`bots.states.${state}`)}
        </Badge>
        {missing.length > 0 && <Missing variables={missing} />}
        {isCalled ? <Address path={`/api/bot/${name}`} /> : <p>{t('bots.socket')}</p>}
        <p>
          <DocsLink page={CHAT_PLATFORMS[name].guide}>{t('bots.guide')}</DocsLink>
        </p>
      </div>
    </Card>
  );
}

function Missing({ variables }: { variables: string[] }) {
  const { t } = useTranslation();
  return (
    <div>
      <p className="mb-1">{t('bots.missing')}</p>
      <ul className="flex flex-wrap gap-2">
        {variables.map((variable) => (
          <li key={variable} className="rounded-sm bg-sunken px-2 py-0.5 font-mono text-xs">
            {variable}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the URL for a platform, based on this page's URL, because the platform must use the same host. */
function Address({ path }: { path: string }) {
  const { t } = useTranslation();
  const address = `${location.origin}${path}`;
  return (
    <div className="space-y-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={t('bots.address')}
            value={address}
            readOnly
            onFocus={({ target }) => target.select()}
          />
        </div>
        <CopyButton text={address} />
      </div>
      {!isReachable(location.href) && <Banner look="warn">{t('bots.notPublic')}</Banner>}
    </div>
  );
}
