import * as z from 'zod';
import { LOCAL } from '../lib/access/caller.ts';
import { audited } from '../lib/audit/record.ts';
import { readConfig } from '../lib/config.ts';
import { systemClock } from '../lib/ports/clock.ts';
import type { TimedRecords } from '../lib/ports/timed-records.ts';
import { pagesOf } from '../lib/records/page.ts';
import { changeToken } from '../lib/tokens/change.ts';
import { rotateToken } from '../lib/tokens/rotate.ts';
import { changeTokenSchema, createTokenSchema, rotateTokenSchema } from '../lib/tokens/schema.ts';
import { createToken, listTokens, NO_TOKENS, revokeToken } from '../lib/tokens/tokens.ts';
import { openRecords } from '../lib/wiring/records.ts';
import { readArguments, runCommandLine, UsageError } from './command-line.ts';
import { countLocalChats, describeLocalChats } from './local-chats.ts';
import { OPERATOR } from './operator.ts';

const USAGE = `Usage: npm run token -- create --name NAME --role monitor|viewer|member|admin [--workspaces ID,ID] [--expires 2027-01-01] [--continue-local]
       npm run token -- list
       npm run token -- change ID [--name NAME] [--role ROLE] [--workspaces ID,ID|all] [--expires 2027-01-01|never]
       npm run token -- rotate ID [--overlap-hours 24] [--expires 2027-01-01|never]
       npm run token -- revoke ID`;

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  ...{ name: TEXT, role: TEXT, workspaces: TEXT, expires: TEXT, 'overlap-hours': TEXT },
  'continue-local': { type: 'boolean' },
} as const;

/** The commands that need the ID of a token. */
const OF_TOKEN = new Map([
  ['change', change],
  ['rotate', rotate],
  ['revoke', revoke],
]);

await runCommandLine(USAGE, run);

/** Works on the host's data folder, even while the host is running, because SQLite serializes access. */
async function run(): Promise<void> {
  const { positionals, values } = readArguments(OPTIONS);
  const [command, id, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}.`);
  if (command === 'create' && id === undefined) return create(await openPorts(), values);
  if (command === 'list' && id === undefined) return list(await openPorts());
  const ofToken = OF_TOKEN.get(command ?? '');
  if (ofToken !== undefined && id !== undefined) return ofToken(await openPorts(), id, values);
  throw new UsageError(
    ofToken !== undefined
      ? `${command} needs the ID of a token.`
      : 'Choose a command: create, list, change, rotate, or revoke.',
  );
}

async function openPorts(): Promise<TimedRecords> {
  return { records: await openRecords(readConfig()), clock: systemClock };
}

type Options = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

async function create(ports: TimedRecords, options: Options): Promise<void> {
  const { mode, acceptsTokens } = readConfig().auth;
  if (mode === 'oidc' && !acceptsTokens) throw new UsageError(NO_TOKENS);
  const { name, role, workspaces, expires, 'continue-local': continuesLocal = false } = options;
  const input = createTokenSchema.safeParse({
    name,
    role,
    workspaceIds: readWorkspaces(workspaces ?? 'all'),
    expiresAt: readExpiry(expires ?? 'never'),
  });
  if (!input.success) throw new UsageError(z.prettifyError(input.error));
  const about = `${input.data.role}: ${input.data.name}${continuesLocal ? `, continues ${LOCAL}` : ''}`;
  const { secret, ...token } = await audited(ports, OPERATOR, { action: 'tokens.create', about }, () =>
    createToken(ports, OPERATOR, input.data, continuesLocal ? LOCAL : undefined),
  );
  console.error(`Token ${token.id} (${token.role}). Its secret is shown only once:`);
  console.log(secret);
  const count = continuesLocal ? 0 : await countLocalChats(ports.records);
  if (count > 0) console.error(describeLocalChats(count));
}

/**
 * Changes the named fields. The words `all` and `never` remove a limit. Without the option, the limit stays.
 */
async function change(ports: TimedRecords, id: string, options: Options): Promise<void> {
  const { name, role, workspaces, expires } = options;
  const given = {
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(workspaces !== undefined && { workspaceIds: readWorkspaces(workspaces) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires) }),
  };
  if (Object.keys(given).length === 0)
    throw new UsageError('change needs --name, --role, --workspaces, or --expires.');
  const input = changeTokenSchema.safeParse(given);
  if (!input.success) throw new UsageError(z.prettifyError(input.error));
  console.log(JSON.stringify(await changeToken(ports, OPERATOR, id, input.data)));
}

function readWorkspaces(text: string): string[] | null {
  return text === 'all' ? null : text.split(',').map((id) => id.trim());
}

async function rotate(ports: TimedRecords, id: string, options: Options): Promise<void> {
  const { expires, 'overlap-hours': overlap } = options;
  const input = rotateTokenSchema.safeParse({
    ...(overlap !== undefined && { overlapHours: Number(overlap) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires) }),
  });
  if (!input.success) throw new UsageError(z.prettifyError(input.error));
  const { overlapHours } = input.data;
  const about = `${id}, overlap ${overlapHours} h`;
  const { secret } = await audited(ports, OPERATOR, { action: 'tokens.rotate', about }, () =>
    rotateToken(ports, OPERATOR, id, input.data),
  );
  console.error(
    `Token ${id} has a new secret, shown only once. Earlier ones work for ${overlapHours} hours:`,
  );
  console.log(secret);
}

/** Returns the expiry; a date means the start of that day in UTC. */
function readExpiry(text: string): string | null {
  if (text === 'never') return null;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00.000Z` : text;
}

async function list(ports: TimedRecords): Promise<void> {
  for await (const { items } of pagesOf((cursor) => listTokens(ports, OPERATOR, { limit: 1000, cursor })))
    for (const token of items) console.log(JSON.stringify(token));
}

async function revoke(ports: TimedRecords, id: string): Promise<void> {
  await audited(ports, OPERATOR, { action: 'tokens.revoke', about: id }, () =>
    revokeToken(ports, OPERATOR, id),
  );
  console.log(`Revoked ${id}.`);
}
