import { join, resolve } from 'node:path';
import type { FoundSandbox } from '../adapters/process/find-sandbox.ts';
import type { Config } from '../config.ts';
import { NotConfigured } from '../errors.ts';
import { packageFolder } from '../paths/own-folders.ts';
import type { SandboxGap } from '../permissions/schema.ts';
import type { Commands } from '../ports/commands.ts';
import type { Terminals } from '../ports/terminals.ts';
import { openObjects } from './objects.ts';

const NOT_ALLOWED =
  'Commands need a sandbox, and this host has none. Install bubblewrap and allow unprivileged user namespaces, ' +
  'or set ALLOW_UNSANDBOXED_COMMANDS=true.';

/** Opens the commands' environment: a separate function, or a sandbox on this host. */
export async function openCommands(config: Config): Promise<Commands> {
  const { functionName, allowUnsandboxed } = config.commands;
  if (functionName !== undefined) return openFunction(config, functionName);
  const [{ processCommands }, { startGroup }] = await Promise.all([
    import('../adapters/process/commands.ts'),
    import('../adapters/process/runner-client.ts'),
  ]);
  const { sandbox } = await describeSandbox(config);
  return sandbox.kind !== 'none' || allowUnsandboxed
    ? processCommands(sandbox, startGroup, { guard: { proxy: config.proxy } })
    : { run: refuseWithoutSandbox };
}

/** Opens the commands function, which exists only on AWS. Data is transferred through the bucket. */
async function openFunction(config: Config, functionName: string): Promise<Commands> {
  if (config.aws === undefined)
    throw new NotConfigured(
      'commands_not_configured',
      'COMMANDS_FUNCTION_NAME needs TABLE_NAME. Set both, or neither.',
    );
  const [{ lambdaClient }, { lambdaCommands }, { s3Client }, { signGet }] = await Promise.all([
    import('../adapters/lambda/client.ts'),
    import('../adapters/lambda/commands.ts'),
    import('../adapters/s3/client.ts'),
    import('../adapters/s3/sign-get.ts'),
  ]);
  return lambdaCommands({
    client: lambdaClient(),
    functionName,
    objects: await openObjects(config),
    signGet: signGet(s3Client(), config.aws.bucketName),
    notesFolder: join(config.dataDir, 'commands'),
    isolated: !config.commands.allowUnsandboxed,
  });
}

/**
 * Returns how a command could answer an approval, so that the model approves its own calls: `records` if
 * there is no sandbox, even with sign-in; `loopback` without sign-in. Undefined if it can't, or if commands
 * are disabled.
 */
export async function findSelfApproval(config: Config): Promise<'records' | 'loopback' | undefined> {
  const { network, functionName, allowUnsandboxed } = config.commands;
  if (functionName !== undefined) return undefined;
  if ((await describeSandbox(config)).sandbox.kind === 'none')
    return allowUnsandboxed ? 'records' : undefined;
  return network === 'host' && config.auth.mode === 'disabled' ? 'loopback' : undefined;
}

/**
 * Returns how a command could leave its sandbox, or use up this host; undefined if it can't. For the commands
 * function, that isn't known here.
 */
export async function findSandboxGap(config: Config): Promise<SandboxGap | undefined> {
  const { network, functionName } = config.commands;
  if (functionName !== undefined) return 'elsewhere';
  const { kind } = (await describeSandbox(config)).sandbox;
  if (kind === 'none') return 'missing';
  if (kind === 'seatbelt') return 'unbounded';
  return network === 'none' ? undefined : 'network';
}

async function refuseWithoutSandbox(): Promise<never> {
  throw new NotConfigured('command_sandbox_missing', NOT_ALLOWED);
}

/** Returns the sandbox of this host, detected once. If there is none, returns `none` with the reason. */
export async function describeSandbox(
  { commands, dataDir, cluster }: Config,
  network = commands.network,
): Promise<FoundSandbox> {
  const { findSandbox } = await import('../adapters/process/find-sandbox.ts');
  const own = packageFolder(import.meta.dirname);
  const kubeconfig = cluster.kubeconfigPath === undefined ? [] : [resolve(cluster.kubeconfigPath)];
  const hidden = [dataDir, own, join(own, '.env'), join(process.cwd(), '.env'), ...kubeconfig];
  return findSandbox({ network, hidden: [...new Set(hidden)] });
}

/**
 * Opens the terminals of this host. A terminal is in the memory of one process, so there are no terminals if
 * several processes handle the requests.
 */
export async function openTerminals(config: Config): Promise<Terminals> {
  if (config.deployed || config.aws !== undefined || config.sharesData) return elsewhere;
  const { sandbox } = await describeSandbox(config);
  if (sandbox.kind === 'none' && !config.commands.allowUnsandboxed) return { open: refuseWithoutSandbox };
  const { processTerminals } = await import('../adapters/process/pty/terminals.ts');
  return processTerminals(sandbox, { guard: { proxy: config.proxy } });
}

const elsewhere: Terminals = {
  async open() {
    throw new NotConfigured(
      'terminal_needs_one_host',
      'A terminal needs a service that runs as one process on one host. Run single commands instead.',
    );
  },
};
