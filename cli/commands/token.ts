import { UsageError } from '../../infra/command-line.ts';
import type { Role } from '../../lib/api-contract/roles.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { type Call, type Command, textOf } from '../command.ts';
import { cleanLine, dim, printJson, printLine, tellLine } from '../terminal.ts';
import { openClient } from '../workspace.ts';

const PAGE = 1000;

export const token: Command = {
  name: 'token',
  usage: 'list | create --name NAME --role monitor|viewer|member|admin | revoke ID',
  summary: 'list, create, or revoke API tokens',
  uses: 'service',
  options: {
    name: { type: 'string' },
    role: { type: 'string' },
    workspaces: { type: 'string' },
    expires: { type: 'string' },
  },
  optionTexts: {
    name: 'name of the new token',
    role: 'role of the new token: monitor, viewer, member, or admin',
    workspaces: 'comma-separated IDs of the workspaces that the token is limited to',
    expires: 'expiration date of the token, such as 2027-01-01',
  },
  completes: ['list', 'create', 'revoke'],
  async run(call) {
    const [action = 'list', ...words] = call.words;
    if (action === 'list' && words.length === 0) return list(call);
    if (action === 'create' && words.length === 0) return create(call);
    if (action === 'revoke' && words.length === 1) return revoke({ ...call, words });
    throw new UsageError(
      action === 'revoke'
        ? 'Name the ID of the token to revoke.'
        : 'Name an action: token list, create, or revoke.',
    );
  },
};

async function list({ context }: Call): Promise<void> {
  const { client } = await openClient(context);
  const found = await client.call((api) => api.GET('/api/tokens', { params: { query: { limit: PAGE } } }));
  if (context.isJson) return printJson(found);
  for (const one of found)
    printLine(
      `${cleanLine(one.id)}  ${cleanLine(one.role).padEnd(7)}${cleanLine(one.name)}`,
      dim(`  ${cleanLine(describeEnd(one))}`),
    );
  if (found.length === 0) tellLine('No tokens.');
}

function describeEnd({ revokedAt, expiresAt, lastUsedAt }: Schemas['Token']): string {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`;
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 10)}`;
  return expiresAt === null ? used : `${used}, expires ${expiresAt.slice(0, 10)}`;
}

async function create({ context, values }: Call): Promise<void> {
  const [name, role] = [textOf(values, 'name'), textOf(values, 'role')];
  if (name === undefined || role === undefined) throw new UsageError('--name and --role are required.');
  const workspaceIds =
    textOf(values, 'workspaces')
      ?.split(',')
      .map((id) => id.trim()) ?? null;
  const expires = textOf(values, 'expires');
  const expiresAt =
    expires !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(expires) ? `${expires}T00:00:00.000Z` : expires;
  const { client } = await openClient(context);
  const body = { name, role: role as Role, workspaceIds, expiresAt }; // the service rejects any other role

  const made = await client.call((api) => api.POST('/api/tokens', { body }));
  if (context.isJson) return printJson(made);
  tellLine(`Created token ${made.id} (${made.role}). Copy its secret now, because it is shown only once:`);
  printLine(made.secret);
}

async function revoke({ context, words }: Call): Promise<void> {
  const [id = ''] = words;
  const { client } = await openClient(context);
  const answer = await client.call((api) =>
    api.DELETE('/api/tokens/{tokenId}', { params: { path: { tokenId: id } } }),
  );
  if (context.isJson) return printJson(answer);
  printLine(`Revoked ${id}.`);
}
