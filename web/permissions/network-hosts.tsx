import { useTranslation } from 'react-i18next';
import { HOST_NAME, MAX_HOSTS } from '../../lib/api-contract/host-name.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { IconButton } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useChangeRules } from './queries.ts';

interface Props {
  workspaceId: string;
  set: Pick<Schemas['Permissions'], 'network' | 'sandboxGap'>;
  mayChange: boolean;
}

/** The hosts that commands may reach although they have no network. */
export function NetworkHosts({ workspaceId, set: { network, sandboxGap }, mayChange }: Props) {
  const { t } = useTranslation();
  const isAdmin = useMay('admin', workspaceId);
  return (
    <>
      <p className="text-sm text-muted">{t('permissions.networkNote')}</p>
      <p className="mt-2 text-sm text-warn">{t('permissions.networkRisk')}</p>
      <HostList workspaceId={workspaceId} network={network} mayChange={mayChange} />
      {sandboxGap !== null && <p className="mt-3 text-sm">{t(`agent.sandboxGap.${sandboxGap}`)}</p>}
      {sandboxGap === null && mayChange && !isAdmin && (
        <p className="mt-3 text-sm text-muted">{t('permissions.hostByAdmin')}</p>
      )}
      {sandboxGap === null && mayChange && isAdmin && <NewHost workspaceId={workspaceId} network={network} />}
    </>
  );
}

interface ListProps {
  workspaceId: string;
  network: string[];
  mayChange: boolean;
}

function HostList({ workspaceId, network, mayChange }: ListProps) {
  const { t } = useTranslation();
  const change = useChangeRules(workspaceId);
  const remove = (host: string) =>
    change.mutate((rules) => rules, { network: network.filter((each) => each !== host) });
  if (network.length === 0) return <p className="mt-3 text-sm">{t('permissions.noHosts')}</p>;
  return (
    <>
      <ul aria-label={t('permissions.network')} className="mt-3 divide-y divide-line">
        {network.map((host) => (
          <li key={host} className="flex items-center gap-3 py-1">
            <code className="min-w-0 flex-1 font-mono text-sm break-all">{host}</code>
            {mayChange && (
              <IconButton
                icon="trash"
                label={t('permissions.removeOf', { rule: host })}
                disabled={change.isPending}
                onClick={() => remove(host)}
              />
            )}
          </li>
        ))}
      </ul>
      <Problem error={change.error} />
    </>
  );
}

function NewHost({ workspaceId, network }: Omit<ListProps, 'mayChange'>) {
  const { t } = useTranslation();
  const change = useChangeRules(workspaceId);
  const { draft, drop, field } = useFormDraft(`host ${workspaceId}`, { host: '' });
  const host = draft.host.trim().toLowerCase();
  const problem = problemOf(host, network);
  const submit = () => change.mutate((rules) => rules, { network: [...network, host], onSuccess: drop });
  return (
    <Form
      onSend={submit}
      sending={change}
      isWhole={host !== '' && problem === undefined}
      action={t('permissions.addHost')}
      icon="plus"
      className="mt-4 space-y-3 border-t border-line pt-4"
    >
      <Field
        label={t('permissions.host')}
        hint={t('permissions.hostHint')}
        problem={problem && t(`permissions.hostProblem.${problem}`, { max: MAX_HOSTS })}
        autoCapitalize="off"
        spellCheck={false}
        maxLength={253}
        {...field('host')}
      />
    </Form>
  );
}

function problemOf(host: string, network: string[]): 'form' | 'known' | 'full' | undefined {
  if (host === '') return undefined;
  if (!HOST_NAME.test(host)) return 'form';
  if (network.includes(host)) return 'known';
  return network.length >= MAX_HOSTS ? 'full' : undefined;
}
