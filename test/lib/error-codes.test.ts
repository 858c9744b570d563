import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import { ERROR_CODES } from '../../lib/error-codes.ts';
import { errorsOf, streamErrorsOf } from '../../lib/http/route-errors.ts';

const CODES = Object.keys(ERROR_CODES);
const ROUTES = Object.values(ROUTE_GROUPS).flat();

/** Codes that only stand for a status, because no code of ours throws them. */
const OF_A_STATUS = [
  'conflict',
  'forbidden',
  'media_type_unsupported',
  'not_acceptable',
  'not_configured',
  'rate_limited',
  'too_large',
  'upstream_failed',
];
/** A state of an undo also has this name. */
const STATES_OF_AN_UNDO = ['conflict'];

/** Codes that no operation returns and no stream ends with, with the place where they occur instead. */
const ELSEWHERE = {
  'results of tools': [
    'approval_required',
    'cluster_answer_too_large',
    'cluster_failed',
    'cluster_kind_not_found',
    'cluster_metrics_not_found',
    'cluster_not_configured',
    'cluster_object_conflict',
    'cluster_object_not_found',
    'cluster_operation_blocked',
    'cluster_partly_applied',
    'cluster_permission_denied',
    'cluster_request_invalid',
    'cluster_request_too_large',
    'cluster_unreachable',
    'edit_text_ambiguous',
    'edit_text_not_found',
    'file_binary',
    'invalid_pattern',
    'kubeconfig_invalid',
    'manifest_invalid',
    'mcp_headers_missing',
    'mcp_tool_failed',
    'papers_not_configured',
    'text_search_not_configured',
    'tool_not_found',
  ],
  'replies of bots': [
    'approval_not_shown',
    'approval_unclear',
    'message_too_long',
    'message_unsupported',
    'nothing_running',
    'nothing_to_approve',
    'recording_too_large',
    'recording_unreadable',
    'rule_not_offered',
    'speech_not_configured',
    'too_many_reports',
    'voice_message_empty',
  ],
  'records of downloads, syncs, and the index': [
    'dataset_file_failed',
    'dataset_no_match',
    'dataset_repository_unusable',
    'ocr_unavailable',
    'source_key_missing',
  ],
  'notices of an answer that searches the web': [
    'web_search_answer_unusable',
    'web_search_failed',
    'web_search_key_refused',
    'web_search_timeout',
  ],
  'upload URLs, installations, and backups': [
    'backup_refused',
    'install_refused',
    'upload_incomplete',
    'upload_link_invalid',
  ],
  'other services, by their status': ['conflict', 'not_configured', 'too_large', 'upstream_failed'],
};

/** Codes returned for a missing or inaccessible ID. */
const OF_AN_ID: Record<string, string[]> = {
  conversationId: ['workspace_access_denied', 'workspace_not_found', 'workspace_unsafe'],
  datasetId: ['dataset_not_found'],
  noteId: ['note_not_found', 'workspace_access_denied'],
  runId: ['run_not_found', 'workspace_access_denied'],
  skillId: ['skill_not_found', 'workspace_access_denied'],
  taskId: ['task_not_found', 'workspace_access_denied', 'workspace_scoped_token'],
  tokenId: ['token_not_found'],
  uploadId: ['upload_not_found', 'workspace_access_denied'],
  workspaceId: ['workspace_access_denied', 'workspace_not_found', 'workspace_unsafe'],
};

/** Returns the service's code without mere declarations: groups of codes, and routes that list some. */
function throwingText(): string {
  return globSync('{lib,functions,infra,cli}/**/*.ts')
    .filter((file) => !['lib/error-codes.ts', 'lib/http/route-errors.ts'].includes(file))
    .map((file) => readFileSync(file, 'utf8').replace(/(?:_ERRORS = |\n {4}errors: )\[[^\]]*\]/g, ''))
    .join('\n');
}

function messagesIn(language: string): Record<string, string> {
  return JSON.parse(readFileSync(`lib/error-messages/${language}.json`, 'utf8'));
}

describe('catalog of error codes', () => {
  it('has codes in snake_case, sorted, each with an error status', () => {
    expect(CODES.filter((code) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code))).toEqual([]);
    expect(CODES).toEqual([...CODES].sort());
    expect(Object.values(ERROR_CODES).every((status) => status >= 400 && status < 600)).toBe(true);
  });

  it.each(['en', 'zh-CN'])('has a message for every code, and for no other code: %s', (language) => {
    expect(Object.keys(messagesIn(language))).toEqual(CODES);
  });

  it('uses full sentences for its messages', () => {
    const english = Object.entries(messagesIn('en'));
    const chinese = Object.entries(messagesIn('zh-CN'));
    expect(english.filter(([, text]) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
    expect(chinese.filter(([, text]) => !/^.*\p{Script=Han}.*。$/u.test(text))).toEqual([]);
    expect(chinese.filter(([, text]) => /您|读入|代理/.test(text))).toEqual([]);
    expect(english.filter(([, text]) => /\b(hub|provider|platform) [A-C]\b/i.test(text))).toEqual([]);
  });

  it('has only codes that are thrown, or that stand for a status', () => {
    const text = throwingText();
    const expected = OF_A_STATUS.filter((code) => !STATES_OF_AN_UNDO.includes(code));
    expect(CODES.filter((code) => !text.includes(`'${code}'`))).toEqual(expected);
  });
});

describe('codes that routes declare', () => {
  it('are all codes except those that never reach an API caller', () => {
    const declared = new Set<string>(
      ROUTES.flatMap((route) => [...errorsOf(route), ...streamErrorsOf(route)]),
    );
    const others = Object.values(ELSEWHERE).flat().sort();
    expect(CODES.filter((code) => !declared.has(code))).toEqual(others);
  });

  it('include those of each ID in the path', () => {
    const missing = ROUTES.flatMap((route) =>
      Object.entries(OF_AN_ID)
        .filter(([name]) => route.path.includes(`{${name}}`))
        .flatMap(([, codes]) => codes)
        .filter((code) => !(errorsOf(route) as string[]).includes(code))
        .map((code) => `${route.operationId} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  it('are complete even if they depend on timing or on an external service', () => {
    const codesOf = (id: string) => errorsOf(ROUTES.find(({ operationId }) => operationId === id) as never);
    expect(codesOf('sendChatMessage')).toEqual(
      expect.arrayContaining(['answer_in_progress', 'changed_since_read']),
    );
    expect(codesOf('updateConversation')).toContain('concurrent_changes');
    expect(codesOf('listModels')).toEqual(
      expect.arrayContaining(['model_rate_limited', 'model_timeout', 'model_unreachable']),
    );
    expect(codesOf('pullRepository')).toEqual(expect.arrayContaining(['git_diverged', 'git_timeout']));
    expect(codesOf('runCommand')).toEqual(expect.arrayContaining(['commands_busy', 'commands_failed']));
  });
});
