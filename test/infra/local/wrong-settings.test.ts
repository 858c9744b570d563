import { describe, expect, it } from '@jest/globals';
import { environmentSchema, readConfig } from '../../../lib/config.ts';

const URLS = Object.keys(environmentSchema.shape).filter((name) =>
  /_URL$|^HTTPS?_PROXY$|^OIDC_ISSUER$|_ENDPOINT$/.test(name),
);
const WRONG: Record<string, string[]> = {
  ...Object.fromEntries(URLS.map((name) => [name, ['foo', 'ftp://example.org', '//x']])),
  PORT: ['abc', '-1', '65536', '0x50', '1e3', '3000.5'],
  LOG_LEVEL: ['loud'],
  CORS_ORIGINS: ['foo', '*', 'null', 'https://app.example.org/path', 'https://a.example.org,foo'],
  TRUSTED_PROXIES: ['proxy.example.org', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8'],
  CONSOLE: ['maybe'],
  AUTH_MODE: ['maybe'],
  OIDC_ROLE_MAP: ['researchers', 'researchers=owner', '=admin', 'a=member,b', 'a=Admin', 'admin'],
  OIDC_API_TOKENS: ['true'],
  OIDC_SCOPE: ['profile'],
  OIDC_ORIGINS: ['foo'],
  LLM_PROVIDER: ['z', 'openai'],
  WEB_SEARCH_PROVIDER: ['google'],
  CONVERSATION_TITLES: ['yes'],
  CITATION_JUDGE: ['yes'],
  REPORT_TIMEZONE: ['Mars/One'],
  AGENT_MAX_STEPS: ['0', '201', 'many'],
  LLM_CONTEXT_TOKENS: ['511', '4k', '-1'],
  LLM_MAX_OUTPUT_TOKENS: ['255', '1k', '-1'],
  OWN_MODEL_PATIENCE_MINUTES: ['0', '121', '5m'],
  WATCH: ['on'],
  RECOGNITION: ['true'],
  CODE_HOST: ['https://github.com'],
  COMMIT_EMAIL: ['nobody', 'a b@example.org'],
  PAPER_HOSTS: ['https://arxiv.org/', 'host'],
  SOURCE_PRIVATE_HOSTS: ['https://nas.example.org', 'nas/folder'],
  IMA_CONNECTION: ['socket'],
  IMB_ENCODING_AES_KEY: ['short'],
  IMB_AGENT_ID: ['one'],
  BACKUP_DUE_DAYS: ['0', '3651', 'daily'],
  ATTACHMENTS_QUOTA_MB: ['0', '-1', 'all'],
  VECTORS_CACHE_MB: ['15', '8193', 'big'],
  OTEL_TRACES_SAMPLER_ARG: ['2', '-1', 'half'],
  COMMAND_NETWORK: ['all'],
};
for (const name of [
  'CODE_HOST_ALLOW_PRIVATE',
  'DATA_DIR_SHARED',
  'UPGRADE_WITHOUT_BACKUP',
  'IMA_BOT_ENABLED',
  'IMB_BOT_ENABLED',
  'ALLOW_UNSANDBOXED_COMMANDS',
])
  WRONG[name] = ['yes', '1', 'TRUE'];

const URL = 'must be an http or https URL such as https://example.org.';
const ORIGINS = 'must be origins such as https://app.example.org, without a path; * is not one.';
/** Error text for each variable, whatever the wrong value is. */
const SAYS: Record<string, string> = {
  ...Object.fromEntries(URLS.map((name) => [name, URL])),
  COMMIT_EMAIL: 'must be an email address.',
  VECTORS_URL: 'must be s3://BUCKET/FOLDER without a trailing slash.',
  HTTP_PROXY: 'must be an http or https URL such as http://proxy.example:3128.',
  HTTPS_PROXY: 'must be an http or https URL such as http://proxy.example:3128.',
  PORT: 'must be a whole number from 0 to 65535.',
  LOG_LEVEL: 'must be debug, info, warn, or error.',
  CORS_ORIGINS: ORIGINS,
  TRUSTED_PROXIES: 'must be IP addresses or networks such as 10.0.0.0/8.',
  CONSOLE: 'must be on or off.',
  AUTH_MODE: 'must be token, oidc, or disabled.',
  OIDC_ROLE_MAP:
    'must be groups with their roles, such as researchers=member,research-admins=admin. The roles are monitor, viewer, member, admin.',
  OIDC_API_TOKENS: 'must be on or off.',
  OIDC_SCOPE: 'must include openid.',
  OIDC_ORIGINS: URL,
  LLM_PROVIDER: 'must be a, b, or c.',
  WEB_SEARCH_PROVIDER: 'must be searxng, brave, or tavily.',
  CONVERSATION_TITLES: 'must be on or off.',
  CITATION_JUDGE: 'must be on or off.',
  REPORT_TIMEZONE: 'must be a time zone such as Europe/Berlin.',
  AGENT_MAX_STEPS: 'must be a whole number from 1 to 200.',
  LLM_CONTEXT_TOKENS: 'must be a whole number from 512 to 100000000.',
  LLM_MAX_OUTPUT_TOKENS: 'must be a whole number from 256 to 1000000.',
  OWN_MODEL_PATIENCE_MINUTES: 'must be a whole number from 1 to 120.',
  WATCH: 'must be auto or off.',
  RECOGNITION: 'must be on or off.',
  CODE_HOST: 'must be a host name such as git.example.org, optionally with a port.',
  PAPER_HOSTS: 'must be host names such as papers.example.org, without a scheme or path.',
  SOURCE_PRIVATE_HOSTS: 'must be hosts such as nas.example.org or 10.0.0.5:8080, without a scheme or path.',
  IMA_CONNECTION: 'must be webhook or websocket.',
  IMB_ENCODING_AES_KEY: 'must be the 43 characters that WeCom shows.',
  IMB_AGENT_ID: 'must be a whole number, such as 1000002.',
  BACKUP_DUE_DAYS: 'must be a whole number from 1 to 3650.',
  ATTACHMENTS_QUOTA_MB: 'must be a whole number from 1 to 1000000.',
  VECTORS_CACHE_MB: 'must be a whole number from 16 to 8192.',
  OTEL_TRACES_SAMPLER_ARG: 'must be a number from 0 to 1.',
  COMMAND_NETWORK: 'must be none or host.',
};
for (const name of Object.keys(WRONG)) SAYS[name] ??= 'must be true or false.';

/** External names, paths, and keys, for which any text may be right. */
const FREE_TEXT = new Set(
  'HOST DATA_DIR STAGE NAMED_ROOTS WORKSPACE_ROOTS OIDC_AUDIENCE OIDC_ROLE_CLAIM OIDC_GROUPS_CLAIM OIDC_CLIENT_ID LLM_MODEL VISION_MODELS RIPGREP_PATH EMBEDDING_MODEL RERANK_MODEL ENTAILMENT_MODEL LOCAL_EMBEDDER_KEY LOCAL_EMBEDDER_MODEL LOCAL_RERANKER_MODEL LOCAL_ENTAILMENT_MODEL RECOGNITION_DIR HUB_A_TOKEN HUB_B_TOKEN CODE_HOST_TOKEN KUBECONFIG_PATH K8S_SUBMITTER K8S_IMAGE_PULL_SECRET K8S_IMAGE K8S_PROTECTED_NAMESPACES IMA_APP_ID IMA_APP_SECRET IMA_VERIFICATION_TOKEN IMA_ENCRYPT_KEY IMA_PUSH_SECRET IMB_CORP_ID IMB_CORP_SECRET IMB_TOKEN PATH NO_PROXY TABLE_NAME BUCKET_NAME SECRETS_PREFIX FILE_SYSTEM_ID AWS_LAMBDA_FUNCTION_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME COMMANDS_FUNCTION_NAME'.split(
    ' ',
  ),
);

const NEEDED: Record<string, Record<string, string>> = {
  AUTH_MODE: { HOST: '127.0.0.1' },
};

function refusal(name: string, value: string): string {
  try {
    readConfig({ ...NEEDED[name], [name]: value });
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('readConfig', () => {
  it("has wrong values in this table for every variable that isn't free text", () => {
    const keys = Object.keys(environmentSchema.shape).filter((name) => !name.endsWith('_API_KEY'));
    expect(keys.filter((name) => !(name in WRONG) && !FREE_TEXT.has(name))).toEqual([]);
  });

  const cases = Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value]));
  it.each(cases)('rejects %s=%s in one line that names the variable', (name = '', value = '') => {
    const said = refusal(name, value);
    expect(said).toContain(name);
    expect(said).not.toContain('\n');
    expect(said.split(new RegExp(`\\b${name}(?=:| must )`))).toHaveLength(2); // once, and with its own name
  });

  it.each(cases)('names only the allowed values for %s=%s', (name = '', value = '') => {
    expect(refusal(name, value)).toBe(`The configuration is invalid. ${name} ${SAYS[name]}`);
  });

  it('does not repeat the value, which may be a secret', () => {
    const secret = 'hunter2.hunter2';
    const said = Object.keys(WRONG).map((name) => refusal(name, secret));
    expect(said.filter((text) => text !== 'taken').length).toBeGreaterThan(40);
    expect(said.filter((text) => text.includes('hunter'))).toEqual([]);
  });

  it('has one line for each wrong setting', () => {
    const wrong = { PORT: 'abc', CORS_ORIGINS: 'foo,bar', AUTH_MODE: 'maybe' };
    expect(() => readConfig(wrong)).toThrow(
      new Error(
        ['The configuration is invalid.', ...Object.keys(wrong).map((name) => `${name} ${SAYS[name]}`)].join(
          '\n',
        ),
      ),
    );
  });

  it.each(Object.keys(environmentSchema.shape))('rejects quotes around %s', (name) => {
    expect(refusal(name, '"x"')).toContain(`${name} has quotes around its value. Remove them.`);
  });

  it.each(Object.keys(WRONG))('treats a blank %s as missing', (name) => {
    expect(refusal(name, '  ')).toBe('taken');
  });

  it('removes white space around a value, and the slash of an origin', () => {
    const read = readConfig({ PORT: ' 4000 ', CONSOLE: 'off\r', CORS_ORIGINS: 'https://App.example.org/' });
    expect([read.port, read.console, read.corsOrigins]).toEqual([4000, false, ['https://app.example.org']]);
  });

  const OUTSIDE = [
    ['HOST', '0.0.0.0'],
    ['PUBLIC_URL', 'https://research.example.org'],
    ['PUBLIC_URL', 'http://192.0.2.1:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org'],
    ['CORS_ORIGINS', 'http://localhost:5173,https://app.example.org'],
  ];
  it.each(OUTSIDE)(
    'refuses to run without sign-in for %s=%s, and uses tokens by default',
    (name = '', value = '') => {
      expect(() => readConfig({ AUTH_MODE: 'disabled', [name]: value })).toThrow(
        new RegExp(`AUTH_MODE=disabled is only allowed with a loopback ${name},.* Set AUTH_MODE`),
      );
      expect(readConfig({ [name]: value }).auth.mode).toBe('token');
    },
  );

  it.each([
    ['HOST', '::1'],
    ['PUBLIC_URL', 'http://localhost:8080/'],
    ['CORS_ORIGINS', 'http://localhost:5173, http://[::1]:5173'],
  ])('allows running without sign-in for %s=%s', (name, value) => {
    expect(readConfig({ AUTH_MODE: 'disabled', [name]: value }).auth.mode).toBe('disabled');
  });

  it("removes the trailing slash of PUBLIC_URL, and rejects a path, which the console doesn't support", () => {
    expect(readConfig({ PUBLIC_URL: 'https://research.example.org/' }).publicUrl).toBe(
      'https://research.example.org',
    );
    for (const url of ['https://a.example/research', 'https://a.example/?x=1', 'https://me:secret@a.example'])
      expect(() => readConfig({ PUBLIC_URL: url })).toThrow(/^PUBLIC_URL must be a scheme and a host/);
    const stage = 'https://x.execute-api.eu-west-1.amazonaws.com/dev';
    expect(readConfig({ PUBLIC_URL: stage, AWS_LAMBDA_FUNCTION_NAME: 'f' }).publicUrl).toBe(stage);
  });
});
