import * as Dropdown from '@radix-ui/react-dropdown-menu';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  ASK_MODES,
  type AskMode,
  readAskMode,
  SANDBOX_MODE,
  withAskMode,
} from '../../lib/api-contract/rule-table.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useChangeRules, useRules } from '../permissions/queries.ts';

interface Props {
  workspaceId: string;
}

/**
 * The choice of what the agent asks about before it acts. It only writes permission rules, and has no state
 * of its own.
 */
export function AskChoice({ workspaceId }: Props) {
  const { t } = useTranslation();
  const permissions = useRules(workspaceId).data?.data;
  const change = useChangeRules(workspaceId);
  if (permissions === undefined) return null;
  const { mode, exceptions } = readAskMode(permissions);
  const name = t(`agent.askMode.${mode}`);
  const suffix = exceptions > 0 ? ` · ${t('agent.askExceptions', { count: exceptions })}` : '';
  const choose = (chosen: string) => {
    const written = chosen === SANDBOX_MODE ? 'commands' : (chosen as AskMode);
    const isChanged = permissions.sandboxed !== (chosen === SANDBOX_MODE);
    change.mutate(
      (rules, defaults) => withAskMode({ rules, defaults }, written),
      isChanged ? { sandboxed: chosen === SANDBOX_MODE } : {},
    );
  };
  return (
    <div className="max-w-full">
      <Dropdown.Root modal={false}>
        <Dropdown.Trigger
          aria-label={t('agent.askMode.label', { mode: `${name}${suffix}` })}
          disabled={change.isPending}
          className={`inline-flex min-h-9 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-sunken disabled:opacity-50 ${mode === 'never' ? 'text-warn' : ''}`}
        >
          <Icon name="shield" size={16} />
          <span className="text-left">
            {name}
            {suffix !== '' && <span className="text-muted">{suffix}</span>}
          </span>
          <Icon name="down" size={14} />
        </Dropdown.Trigger>
        <Dropdown.Portal>
          <Dropdown.Content
            align="end"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 w-[min(22rem,calc(100vw-1rem))] rounded-md border border-line bg-surface p-1 shadow-raised"
          >
            <Modes workspaceId={workspaceId} mode={mode} permissions={permissions} onChoose={choose} />
            <Dropdown.Label className="px-2.5 py-2 text-xs text-muted">
              {permissions.lockedBy
                ? t(`permissions.lockedBy.${permissions.lockedBy}`)
                : t('agent.askMode.scope')}
            </Dropdown.Label>
            <Dropdown.Separator className="my-1 border-t border-line" />
            <Dropdown.Item asChild>
              <Link
                to="/w/$workspaceId/permissions"
                params={{ workspaceId }}
                className="flex min-h-9 items-center rounded-sm px-2.5 text-sm outline-none data-[highlighted]:bg-sunken"
              >
                {t('agent.askMode.rules')}
              </Link>
            </Dropdown.Item>
          </Dropdown.Content>
        </Dropdown.Portal>
      </Dropdown.Root>
      <p role="status" className="px-2 text-xs text-muted empty:hidden">
        {change.isSuccess && t('agent.askMode.saved')}
      </p>
      <Problem error={change.error} />
    </div>
  );
}

type Mode = AskMode | typeof SANDBOX_MODE;
const MODES: Mode[] = [...ASK_MODES.slice(0, -1), SANDBOX_MODE, ...ASK_MODES.slice(-1)];

interface ModesProps extends Props {
  mode: Mode | 'custom';
  permissions: Schemas['Permissions'];
  onChoose: (mode: string) => void;
}

function Modes({ workspaceId, mode, permissions, onChoose }: ModesProps) {
  const { t } = useTranslation();
  const why = useWhyNoSandbox(workspaceId, permissions);
  const hosts = permissions.network.join(', ');
  return (
    <Dropdown.RadioGroup value={mode} onValueChange={onChoose}>
      {MODES.map((each) => (
        <Dropdown.RadioItem
          key={each}
          value={each}
          disabled={permissions.lockedBy !== null || (each === SANDBOX_MODE && why !== undefined)}
          className="flex gap-2.5 rounded-sm px-2.5 py-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken"
        >
          <span className="mt-0.5 size-4 shrink-0">
            <Dropdown.ItemIndicator>
              <Icon name="check" size={16} />
            </Dropdown.ItemIndicator>
          </span>
          <span className="min-w-0">
            <span className={`block font-medium ${each === 'never' ? 'text-warn' : ''}`}>
              {t(`agent.askMode.${each}`)}
            </span>
            <span className="block text-xs break-words text-muted">
              {each === SANDBOX_MODE && hosts !== ''
                ? t('agent.askNote.sandboxHosts', { hosts })
                : t(`agent.askNote.${each}`)}
            </span>
            <span className="block text-xs text-muted empty:hidden">{each === SANDBOX_MODE && why}</span>
          </span>
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  );
}

/** Returns why commands can't run unasked in the sandbox here, or why this person can't allow that. */
function useWhyNoSandbox(workspaceId: string, { sandboxGap }: Schemas['Permissions']): string | undefined {
  const { t } = useTranslation();
  const isAdmin = useMay('admin', workspaceId);
  if (sandboxGap !== null) return t(`agent.sandboxGap.${sandboxGap}`);
  return isAdmin ? undefined : t('agent.sandboxByAdmin');
}

/** A sentence, derived from the rules, on what the agent does without asking. Empty until they are loaded. */
export function AskState({ workspaceId, isReading }: Props & { isReading: boolean }) {
  const { t } = useTranslation();
  const permissions = useRules(workspaceId).data?.data;
  if (isReading) return <p className="text-sm text-muted">{t('agent.askState.reading')}</p>;
  if (permissions === undefined) return null;
  const { mode, exceptions } = readAskMode(permissions);
  const isDenied = permissions.lockedBy !== null;
  const sentence = (
    <>
      {t(
        isDenied && (mode === 'changes' || mode === 'commands')
          ? `agent.askState.${mode}Denied`
          : `agent.askState.${mode}`,
      )}
      {isDenied &&
        (mode === 'custom' || (mode === 'never' && exceptions > 0)) &&
        ` ${t('agent.askState.denied')}`}
      {exceptions > 0 && (
        <>
          {' '}
          <Link to="/w/$workspaceId/permissions" params={{ workspaceId }} className="underline">
            {t('agent.askExceptions', { count: exceptions })}
          </Link>
        </>
      )}
    </>
  );
  if (mode === 'never') return <Banner look="warn">{sentence}</Banner>;
  return <p className="text-sm text-muted">{sentence}</p>;
}
