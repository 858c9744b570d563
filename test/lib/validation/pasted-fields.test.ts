import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { membersSchema } from '../../../lib/access/members.ts';
import { auditQuery } from '../../../lib/audit/schema.ts';
import { createDatasetSchema, importLocalSchema } from '../../../lib/datasets/schema.ts';
import { dailyReportBody } from '../../../lib/generate/schema.ts';
import { cloneBody } from '../../../lib/git/schema.ts';
import { createMcpServerSchema } from '../../../lib/mcp-servers/schema.ts';
import { searchFields } from '../../../lib/papers/schema.ts';
import { researchBody } from '../../../lib/research/request-schema.ts';
import { connectSchema } from '../../../lib/settings/connection-schema.ts';
import { updateSettingsSchema } from '../../../lib/settings/schema.ts';
import { createTaskSchema } from '../../../lib/tasks/schema.ts';
import { usageQuery } from '../../../lib/usage/report-schema.ts';
import { describeIssues } from '../../../lib/validation/describe-issues.ts';
import { createWorkspaceSchema } from '../../../lib/workspaces/schema.ts';

const WORKSPACE = '01a224f1-1118-735c-8cea-c67ca9ce048b';

/** Returns the checked value of a body's field, or the error message. */
function read(schema: z.ZodType, base: object, field: string, pasted: unknown): unknown {
  const body = { ...base, [field]: pasted };
  const parsed = schema.safeParse(body);
  if (!parsed.success) return describeIssues(parsed.error, schema, body, 'the body');
  return (parsed.data as Record<string, unknown>)[field];
}

type Row = [field: string, pasted: unknown, result: unknown];
const TABLES: [name: string, schema: z.ZodType, base: object, rows: Row[]][] = [
  [
    'settings',
    updateSettingsSchema,
    {},
    [
      ['hubAToken', ' "hf_abc" ', 'hf_abc'],
      ['hubAToken', 'HF_TOKEN=hf_abc', 'hf_abc'],
      ['hubAToken', 'two words', 'hubAToken must be printable ASCII without spaces.'],
      ['llmModel', '`gpt-4.1-mini`', 'gpt-4.1-mini'],
      ['reportTimezone', ' Europe/Berlin\n', 'Europe/Berlin'],
      ['reportTimezone', 'Berlin', 'reportTimezone must be a time zone such as Europe/Berlin.'],
    ],
  ],
  [
    'a model connection',
    connectSchema,
    {},
    [
      ['apiKey', 'Bearer sk-abc', 'sk-abc'],
      ['apiKey', '密钥', 'apiKey must be printable ASCII without spaces.'],
      ['baseUrl', 'https://api.example.org/v1/chat/completions', 'https://api.example.org/v1'],
      ['baseUrl', 'localhost:11434/', 'http://localhost:11434'],
      ['baseUrl', 'ftp://a.example', 'baseUrl must be an http or https URL such as https://example.org/v1.'],
      ['baseUrl', 'my server', 'baseUrl must be an http or https URL such as https://example.org/v1.'],
    ],
  ],
  [
    'a dataset',
    createDatasetSchema,
    { repoId: 'a/b' },
    [
      ['repoId', 'https://huggingface.co/datasets/owner/name', 'owner/name'],
      ['repoId', 'owner name', 'repoId must have the form owner/name, or be the URL of its page.'],
      [
        'repoId',
        'https://huggingface.co/',
        'repoId must have the form owner/name, or be the URL of its page.',
      ],
    ],
  ],
  [
    'an imported folder',
    importLocalSchema,
    {},
    [
      ['localPath', '/srv/data', '/srv/data'],
      ['localPath', 'C:\\data', /^localPath must be a path of the host that runs the service/],
      ['localPath', 'file:///srv/data', /^localPath must be a path of the host/],
    ],
  ],
  [
    'a workspace',
    createWorkspaceSchema,
    {},
    [
      ['path', 'papers', 'papers'],
      ['path', '~/papers', /^path must be a path of the host that runs the service, without ~/],
      ['path', '"C:\\Users\\ann\\papers"', /^path must be a path of the host/],
    ],
  ],
  [
    'a clone',
    cloneBody,
    { url: 'https://a.example/b/c', rootPath: 'c' },
    [
      ['url', 'git@github.com:owner/name.git', 'https://github.com/owner/name.git'],
      ['url', 'https://github.com/owner/name/tree/main', 'https://github.com/owner/name'],
      ['rootPath', '~/name', /^rootPath must be a path of the host/],
    ],
  ],
  [
    'an MCP server',
    createMcpServerSchema,
    { name: 'x', url: 'https://a.example/mcp' },
    [
      ['url', 'a.example/mcp', 'https://a.example/mcp'],
      ['url', 'http://a.example/mcp', 'url must be an HTTPS URL.'],
      ['headers', { authorization: ' "Bearer abc"\n' }, { authorization: 'Bearer abc' }],
    ],
  ],
  [
    'a task',
    createTaskSchema,
    { name: 'x', taskType: 'git_sync', schedule: '0 9 * * *', workspaceId: WORKSPACE },
    [
      ['schedule', "'0 9 * * 1-5'", '0 9 * * 1-5'],
      ['schedule', '０　９　＊　＊　＊', '0 9 * * *'],
      ['schedule', '@daily', `schedule can't be "@daily". Write all five fields.`],
      ['schedule', 'every day at 9', /^schedule must have 5 fields|^schedule has /],
      ['timezone', '"Asia/Shanghai"', 'Asia/Shanghai'],
      ['timezone', 'UTC+8', 'timezone must be an IANA time zone, such as Europe/Berlin.'],
    ],
  ],
  [
    'a daily report',
    dailyReportBody,
    { workspaceId: WORKSPACE },
    [
      ['date', '2026/1/31', '2026-01-31'],
      ['date', 'yesterday', 'date must be a date, YYYY-MM-DD.'],
      ['date', '31.01.2026', 'date must be a date, YYYY-MM-DD.'],
      ['date', '2026-02-30', 'date must be a date, YYYY-MM-DD.'],
      ['date', '1066-10-14', 'date must be between 1970 and 2999.'],
      ['date', 20_260_131, 'date must be a date, YYYY-MM-DD.'],
    ],
  ],
  [
    'a paper search',
    searchFields,
    { keywords: ['owls'] },
    [
      ['dateFrom', '2026.1.31', '2026-01-31'],
      ['dateTo', '01/31/2026', 'dateTo must be a date, YYYY-MM-DD.'],
    ],
  ],
  ['usage', usageQuery, {}, [['from', '2026年1月3日', '2026-01-03']]],
  ['the audit log', auditQuery, {}, [['from', '2026/01/31', Date.parse('2026-01-31')]]],
  [
    'research',
    researchBody,
    { workspaceId: WORKSPACE, question: 'Why?' },
    [
      ['addresses', ['<https://a.example/b>', 'a.example/c'], ['https://a.example/b', 'https://a.example/c']],
      ['addresses', ['http://a.example'], 'addresses.0 must be an HTTPS URL.'],
    ],
  ],
];

describe.each(TABLES)('fields of %s', (_name, schema, base, rows) => {
  it.each(rows)('read %s from %j', (field, pasted, result) => {
    const found = read(schema, base, field, pasted);
    if (result instanceof RegExp) expect(found).toMatch(result);
    else expect(found).toEqual(result);
  });
});

describe('workspace members', () => {
  const tell = (subject: string) =>
    read(z.object({ members: membersSchema }), {}, 'members', [{ subject, role: 'viewer' }]);
  it("accept an email address, and reject an address with a display name, which isn't a caller", () => {
    expect(tell('ann@example.org')).toEqual([{ subject: 'ann@example.org', role: 'viewer' }]);
    expect(tell('Ann Lee <ann@example.org>')).toMatch(/must be written as the issuer does/);
    expect(tell(' ann@example.org')).toMatch(/must be written as the issuer does/);
  });
});
