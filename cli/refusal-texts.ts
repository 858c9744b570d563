import { isChinese } from './message-of-code.ts';

/** The text that wrs adds to a service error whose code has a message. */
const TEXTS = {
  en: {
    answered: (status: number) => `The service answered ${status}.`,
    signIn: () => 'Sign in with `wrs login URL`, or set WRS_TOKEN.',
    notAllowed: () => "Your token doesn't allow this.",
    askDoctor: () => 'Run `wrs doctor` for help.',
    outsideRoots: (location: string, url: string) =>
      `${location} is outside the folders that the service at ${url} can use. Add it to WORKSPACE_ROOTS of the service. Or omit --url, WRS_URL, and the login, so that wrs starts its own service for it.`,
    overlapsOwn: (location: string, data: string) =>
      `${location} overlaps the service's own data (${data}) or code. Choose a folder that doesn't contain them and isn't inside them, or move the data with DATA_DIR.`,
    notSynced: () => 'Not re-indexed, because your token can only read. Using the current index.',
    noModelThere: (url: string) =>
      `No model is connected. An administrator can connect one in the console: ${url}/settings. \`wrs search\` works without a model.`,
    noModel: (folder: string) =>
      `No model is configured. Set PROVIDER_A_API_KEY (or B, C), or PROVIDER_A_BASE_URL with LLM_MODEL, in the environment or in ${folder}/.env. \`wrs search\` works without a model.`,
    indexingFailed: (reason: string | undefined) =>
      `Indexing failed: ${reason ?? 'run `wrs sync` for details.'}`,
    noTerminal: () => 'no terminal to ask for approval on',
  },
  zh: {
    answered: (status: number) => `服务返回了 ${status}。`,
    signIn: () => '请用 `wrs login URL` 登录，或设置 WRS_TOKEN。',
    notAllowed: () => '你的访问令牌不允许此操作。',
    askDoctor: () => '运行 `wrs doctor` 可检查原因。',
    outsideRoots: (location: string, url: string) =>
      `${location} 不在 ${url} 上的服务可用的文件夹内。请将其加入该服务的 WORKSPACE_ROOTS；或不使用 --url、WRS_URL 和登录，让 wrs 为它启动自己的服务。`,
    overlapsOwn: (location: string, data: string) =>
      `${location} 与服务自己的数据（${data}）或代码重叠。请选择既不包含它们、也不在其中的文件夹，或用 DATA_DIR 移动数据。`,
    notSynced: () => '未重新索引，因为你的访问令牌只能读取。将使用当前索引。',
    noModelThere: (url: string) =>
      `尚未连接模型。管理员可以在控制台中连接：${url}/settings。\`wrs search\` 无需模型。`,
    noModel: (folder: string) =>
      `尚未配置模型。请在环境变量或 ${folder}/.env 中设置 PROVIDER_A_API_KEY（或 B、C）或 PROVIDER_A_BASE_URL 和 LLM_MODEL。\`wrs search\` 无需模型。`,
    indexingFailed: (reason: string | undefined) =>
      `建立索引失败：${reason ?? '运行 `wrs sync` 查看详细信息。'}`,
    noTerminal: () => '没有可用于请求批准的终端',
  },
};

/** Returns the texts in the terminal's language. */
export function refusalTexts(environment = process.env): (typeof TEXTS)['en'] {
  return TEXTS[isChinese(environment) ? 'zh' : 'en'];
}
