// Made by `npm run client` from the OpenAPI document: change the routes, and run it again.

export interface Schemas {
  PutPermissions: { rules: ({ tool: string; pattern: string; action: "allow" | "ask" | "deny"; addedBy?: string; addedAt?: string; answeredCall?: string | null })[] };
  Members: Schemas['Member'][];
  Member: { subject?: string; group?: string; role: "viewer" | "member" | "admin" };
  CreateDataset: { repoId: string; repoType?: "dataset" | "model" | "space"; revision?: string; name?: string; allowPatterns?: string[]; ignorePatterns?: string[]; source?: "hub_a" | "hub_b" };
  ImportLocalDataset: { localPath: string; name?: string };
  SearchPapers: { keywords: string[]; maxResults?: number; dateFrom?: string; dateTo?: string; sources?: ("preprint_server" | "hub_a" | "semantic_scholar" | "openalex" | "arxiv" | "huggingface" | "semantic-scholar")[] };
  KeepPaper: { pdfUrl: string };
  CreateSkill: { name: string; slug?: string; description?: string; systemPrompt: string; steps?: Schemas['SkillStep'][]; allowedTools?: (("readFile" | "listDirectory" | "grep" | "writeFile" | "editFile" | "bash" | "searchWorkspace" | "searchArticles" | "readPaper" | "research" | "getSkill" | "cluster" | "submitJob" | "collectJobResults")[]) | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean; workspaceId?: string | null };
  SkillStep: { instruction: string; toolHint?: string };
  SkillParameter: { name: string; label: string; type: "string" | "number" | "boolean" | "select"; required: boolean; defaultValue?: string | number | boolean; options?: string[]; placeholder?: string };
  ImportSkill: { content?: string; skill?: Schemas['ImportedSkill']; url?: string; workspaceId?: string | null };
  ImportedSkill: { name: string; slug?: string; description?: string; systemPrompt: string; steps?: Schemas['SkillStep'][]; allowedTools?: (("readFile" | "listDirectory" | "grep" | "writeFile" | "editFile" | "bash" | "searchWorkspace" | "searchArticles" | "readPaper" | "research" | "getSkill" | "cluster" | "submitJob" | "collectJobResults")[]) | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean; id?: unknown; workspaceId?: unknown; createdAt?: unknown; updatedAt?: unknown };
  CreateTask: { name: string; taskType: "daily_report" | "weekly_report" | "git_sync" | "source_sync" | "custom"; schedule: string; timezone?: string; workspaceId?: string | null; config?: Record<string, unknown> | null; isEnabled?: boolean };
  ModelPrice: { inputPerMillion: number; outputPerMillion: number };
  CreateMcpServer: { name: string; url: string; headers?: Record<string, string> };
  ListedWorkspace: { id: string; name: string; rootPath: string; createdAt: string; state?: { index: Schemas['IndexProgress']; waiting: ({ id: string; workspaceId: string; kind: "agent" | "research"; title: string; conversationId: string | null; createdAt: string })[]; recent: Schemas['Conversation'][] } };
  IndexProgress: { status: "idle" | "scanning" | "indexing" | "ready" | "failed"; total: number; done: number; failedCount: number; finishedAt: string | null };
  Conversation: { id: string; workspaceId: string; title: string; kind: "chat" | "agent" | "bot" | "research"; mode: string | null; ownerId: string; shared: boolean; pinned: boolean; messageCount: number; createdAt: string; updatedAt: string; answering: boolean };
  Error: { error: string };
  Workspace: { id: string; name: string; rootPath: string; createdAt: string };
  WorkspaceDetail: { id: string; name: string; rootPath: string; createdAt: string; index: Schemas['IndexState']; noteCount: number };
  IndexState: { syncId: string | null; status: "idle" | "scanning" | "indexing" | "ready" | "failed"; total: number; done: number; newCount: number; updatedCount: number; unchangedCount: number; removedCount: number; failedCount: number; textsEmbedded: number; skippedCount: number; recognizing?: { path: string; pages: number; pagesRead: number }; errors: { path: string; error: string }[]; embedding: string | null; startedAt: string | null; finishedAt: string | null };
  Deleted: { success: true };
  Permissions: { rules: Schemas['KeptPermissionRule'][]; defaults: Schemas['PermissionRule'][] };
  KeptPermissionRule: { tool: string; pattern: string; action: "allow" | "ask" | "deny"; addedBy: string; addedAt: string; answeredCall: string | null };
  PermissionRule: { tool: string; pattern: string; action: "allow" | "ask" | "deny" };
  DirectoryEntry: { name: string; path: string; type: "file" | "directory"; size: number; modifiedAt: string };
  FileContent: { path: string; size: number; modifiedAt: string; hash: string; content: string; encoding: "utf-8" | "base64" | "utf-16le" | "utf-16be" | "gb18030" | "big5" | "shift_jis" | "euc-jp" | "euc-kr" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "iso-8859-2" | "iso-8859-5" | "iso-8859-7" | "koi8-r"; parts?: { page?: number; slide?: number; sheet?: string; cell?: number; recognized?: true; line: number; rowNumbers?: number[] }[] };
  WrittenFile: { path: string; size: number; modifiedAt: string; hash: string };
  StartedUpload: { uploadId: string; url: string; headers: Record<string, string>; expiresAt: string };
  UploadStatus: { status: "waiting" | "moving" | "done" | "failed"; error?: string };
  UploadParts: { partBytes: number; count: number; missing: { url: string; headers: Record<string, string>; number: number }[]; expiresAt: string };
  ListedFile: { path: string; size: number; state: "skipped" | "failed" | "indexed"; reason?: "kind" | "size" | "encrypted" | "no_text" | "ignored" | "broken"; kind: string; recognition?: { pages: number; pagesRead: number; waiting: boolean } };
  Reindex: { status: "idle" | "running" | "ready" | "failed"; model: string | null; workspaces: { total: number; done: number; failed: number }; textsEmbedded: number; startedAt: string | null; finishedAt: string | null };
  FoundPassage: { path: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cell?: number; recognized?: true; context: string; text: string; score: number; fileHash: string };
  ConversationWithMessages: { id: string; workspaceId: string; title: string; kind: "chat" | "agent" | "bot" | "research"; mode: string | null; ownerId: string; shared: boolean; pinned: boolean; messageCount: number; createdAt: string; updatedAt: string; answering: boolean; messages: Schemas['ConversationMessage'][]; run: Schemas['AgentRun'] | null };
  ConversationMessage: { id: string; role: "user" | "assistant"; parts: { type: string }[]; metadata?: Record<string, unknown> };
  AgentRun: { id: string; workspaceId: string; kind: "agent" | "research"; mode: "agent" | "plan" | "ask"; status: "running" | "waiting" | "done" | "failed" | "stopped"; request: string; conversationId: string | null; steps: number; createdAt: string; finishedAt: string | null; error: string | null; title: string; origin: "api" | "bot" | "task"; approvals?: Schemas['Approval'][] };
  Approval: { id: string; toolName: string; input: unknown; summary: string; subjects: string[]; expiresAt: string; always: string | null };
  Summary: { title: string; content: string };
  Note: { id: string; workspaceId: string; title: string; content: string; type: "manual" | "summary" | "faq" | "brief" | "timeline" | "memory" | "daily_report" | "weekly_report"; reportDate: string | null; createdAt: string; updatedAt: string };
  ResearchDepth: { depth: "quick" | "standard" | "deep"; questions: number; passages: number; estimate: Schemas['ResearchEstimate'] };
  ResearchEstimate: { calls: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  ResearchStarted: { runId: string; conversationId: string; estimate: Schemas['ResearchEstimate'] };
  Research: { runId: string; workspaceId: string; conversationId: string | null; previousRunId: string | null; question: string; depth: "quick" | "standard" | "deep"; status: "running" | "waiting" | "done" | "failed" | "stopped"; error: string | null; ended: string | null; plan: { questions: { id: string; question: string; answeredBy: string; keywords?: string[] }[] } | null; evidence: ({ id: string; questionId: string; claim: string; quote: string; path: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cell?: number; recognized?: true; source: { kind: "file" | "paper" | "dataset" | "web"; title: string; authors?: string[]; publishedDate?: string; doi?: string; arxivId?: string; url?: string; license?: string; retrievedAt?: string }; verified: boolean; supports: "yes" | "partly" | "no"; contradicts?: string[] })[]; sections: ({ questionId: string | null; heading: string; paragraphs: (({ text: string; evidence: string[]; state: "plain" | "supported" | "marked"; reasons?: string[] })[])[] })[]; looked: { questionId: string; path?: string; title?: string; url?: string; used: boolean; reason?: string }[]; openQuestions: string[]; noteId: string | null; counts: { sentences: number; supported: number; marked: number; dropped: number }; calls: number; inputTokens: number; outputTokens: number; costUsd: number | null; estimate: Schemas['ResearchEstimate'] };
  CommandResult: { stdout: string; stderr: string; exitCode: number; cwd: string; timedOut: boolean; truncated: boolean };
  Dataset: { id: string; name: string; repoId: string; repoType: "dataset" | "model" | "space"; source: "hub_a" | "hub_b" | "local"; revision: string | null; commit: string | null; allowPatterns: string[] | null; ignorePatterns: string[] | null; status: "pending" | "downloading" | "paused" | "failed" | "cancelled" | "ready"; phase: "queued" | "listing" | "downloading" | "verifying" | "building_manifest" | "computing_stats" | "done"; downloadedBytes: number; totalBytes: number; downloadedFiles: number; totalFiles: number; bytesPerSecond: number | null; etaSeconds: number | null; error: string | null; localPath: string; stats: Schemas['DatasetStats'] | null; createdAt: string; updatedAt: string; progress: number; manifest: Schemas['DatasetManifest'] | null };
  DatasetStats: { sizeBytes: number; numFiles: number; formats: Record<string, number>; splits: Record<string, { numFiles: number; numRows: number | null }> };
  DatasetManifest: { version: 1; commit: string | null; splits: Record<string, Schemas['ManifestSplit']> };
  ManifestSplit: { files: Schemas['ManifestFile'][]; numFiles: number; numRows: number | null };
  ManifestFile: { path: string; format: string; sizeBytes: number; rows: number | null; sha256: string | null };
  RepoInfo: { repoId: string; repoType: "dataset" | "model" | "space"; description: string | null; totalSize: number | null; totalFiles: number | null; lastModified: string | null; gated: boolean; revisions: string[] };
  DatasetStatus: { datasetId: string; status: "pending" | "downloading" | "paused" | "failed" | "cancelled" | "ready"; progress: number; phase: "queued" | "listing" | "downloading" | "verifying" | "building_manifest" | "computing_stats" | "done"; downloadedBytes: number; totalBytes: number; downloadedFiles: number; totalFiles: number; bytesPerSecond: number | null; etaSeconds: number | null; error: string | null };
  DatasetPreview: { split: string; columns: Schemas['DatasetColumn'][]; rows: Record<string, unknown>[]; format: string; totalRows: number | null; notices: string[] };
  DatasetColumn: { name: string; type: string };
  LinkedWorkspace: { workspaceId: string; name: string; rootPath: string; linkedAt: string };
  FoundPapers: { articles: Schemas['Article'][]; totalCount: number; errors: Record<string, string> };
  Article: { id: string; title: string; authors: string[]; abstract: string; url: string; pdfUrl: string | null; publishedDate: string | null; source: "preprint_server" | "hub_a" | "semantic_scholar" | "openalex"; doi: string | null; isOpen?: boolean; license?: string; score: number };
  KeptPaper: { path: string; title: string; authors: string[]; url: string | null; doi: string | null; arxivId: string | null; publishedDate: string | null; license: string | null; retrievedAt: string | null; isPdf: boolean; isWhole: boolean };
  Skill: { id: string; workspaceId: string | null; name: string; slug: string; description: string; systemPrompt: string; steps: { instruction: string; toolHint?: string }[]; allowedTools: string[] | null; parameters: ({ name: string; label: string; type: "string" | "number" | "boolean" | "select"; required: boolean; defaultValue?: string | number | boolean; options?: string[]; placeholder?: string })[]; isEnabled: boolean; createdAt: string; updatedAt: string };
  ScheduledTask: { id: string; name: string; taskType: "daily_report" | "weekly_report" | "git_sync" | "source_sync" | "custom"; schedule: string; timezone: string; workspaceId: string | null; config: Record<string, unknown>; isEnabled: boolean; nextRunAt: string | null; lastRunAt: string | null; lastRunStatus: ("success" | "error" | "running" | "skipped") | null; lastRunError: string | null; createdAt: string; updatedAt: string };
  TaskRun: { id: string; taskId: string; trigger: "schedule" | "manual"; scheduledFor: string; status: "waiting" | "running" | "success" | "error" | "skipped"; startedAt: string | null; finishedAt: string | null; error: string | null; summary: string | null; noteId: string | null; attempts: number; workspaces: { total: number; done: number; failed: number } | null };
  Activity: { id: string; workspaceId: string; kind: "file_written" | "file_uploaded" | "file_moved" | "file_deleted" | "directory_made" | "sync" | "note_created" | "note_changed" | "note_deleted" | "chat" | "agent_run" | "command" | "job_submitted" | "dataset_linked" | "git_cloned" | "git_pulled" | "report"; actor: string; summary: string; details: Record<string, string | number | boolean | null>; createdAt: string };
  Usage: { from: string; to: string; rows: ({ key: string; inputTokens: number; outputTokens: number; embeddedTokens: number; calls: number; commandSeconds: number; costUsd: number | null; unpricedTokens: number; estimatedTokens: number })[]; totals: { inputTokens: number; outputTokens: number; embeddedTokens: number; calls: number; commandSeconds: number; costUsd: number | null; unpricedTokens: number; estimatedTokens: number }; unpricedModels: string[] };
  Budget: { scope: "service" | "workspace" | "caller"; id: string; monthlyUsd?: number; monthlyTokens?: number; used: { tokens: number; costUsd: number; unpricedModels: string[] }; warning?: string; resetsAt: string };
  AuditEntry: { id: string; at: string; actor: string; role: string; action: string; workspaceId: string | null; about: string | null; outcome: "begun" | "done" | "refused" | "failed"; status: number | null; address: string | null };
  SkippedReport: { skipped: true; reason: "no_activities" | "exists"; noteId?: string };
  Pulled: { branch: string; from: string; to: string; changedFiles: number };
  RepositoryStatus: { isGitRepo: boolean; branch: string | null; clean: boolean; modified: ({ path: string; status: "added" | "modified" | "deleted" | "untracked" | "conflicted" })[]; ahead: number; behind: number };
  ClusterStatus: { configured: false } | { configured: true; nodes: { name: string; ready: boolean; roles: string; cpu: string; memory: string; gpu: string }[]; jobs: { name: string; namespace: string; active: number; succeeded: number; failed: number }[]; pods: { name: string; namespace: string; phase: string; nodeName: string; gpu: string }[]; timestamp: string; error?: string };
  ClusterOperation: { id: string; workspaceId: string; tool: string; verb: string; resource: string; namespace: string; status: "success" | "error" | "blocked" | "denied"; approvedBy: string | null; summary: string; createdAt: string };
  Models: { provider: "a" | "b" | "c"; models: Schemas['Model'][] };
  Model: { id: string; name: string };
  Settings: { aiAvailable: boolean; llmProvider: ("a" | "b" | "c") | null; llmModel: string | null; providers: { a: { configured: boolean; baseUrl: string | null }; b: { configured: boolean; baseUrl: string | null }; c: { configured: boolean; baseUrl: string | null } }; embedding: { configured: boolean; model: string | null }; workspaceRoots: string[]; hubAToken: { configured: boolean; source: ("env" | "settings") | null }; codeHostToken: { configured: boolean }; bots: { ima: { enabled: boolean; missing: string[]; connection: "webhook" | "websocket" }; imb: { enabled: boolean; missing: string[] } }; cluster: { configured: boolean }; reportTimezone: string; prices: Record<string, Schemas['ModelPrice']>; listPrices: { asOf: string; models: Record<string, Schemas['ModelPrice']> } };
  UpdatedSettings: { aiAvailable: boolean; llmProvider: ("a" | "b" | "c") | null; llmModel: string | null; providers: { a: { configured: boolean; baseUrl: string | null }; b: { configured: boolean; baseUrl: string | null }; c: { configured: boolean; baseUrl: string | null } }; embedding: { configured: boolean; model: string | null }; workspaceRoots: string[]; hubAToken: { configured: boolean; source: ("env" | "settings") | null }; codeHostToken: { configured: boolean }; bots: { ima: { enabled: boolean; missing: string[]; connection: "webhook" | "websocket" }; imb: { enabled: boolean; missing: string[] } }; cluster: { configured: boolean }; reportTimezone: string; prices: Record<string, Schemas['ModelPrice']>; listPrices: { asOf: string; models: Record<string, Schemas['ModelPrice']> }; notInForce?: Record<string, string> };
  Me: { id: string; role: "viewer" | "member" | "admin"; workspaceIds: string[] | null; groups?: string[]; expiresAt?: string };
  Token: { id: string; name: string; role: "viewer" | "member" | "admin"; workspaceIds: string[] | null; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null };
  CreatedToken: { id: string; name: string; role: "viewer" | "member" | "admin"; workspaceIds: string[] | null; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null; secret: string };
  McpServer: { id: string; workspaceId: string; name: string; url: string; headerNames: string[]; createdBy: string; createdAt: string };
  ServerTools: { tools: Schemas['RemoteTool'][]; notices: string[] };
  RemoteTool: { name: string; remoteName: string; description: string; action: "allow" | "ask" | "deny" | "depends" };
  McpError: { error: string } | { jsonrpc: "2.0"; error: { code: number; message: string } };
  Login: { issuer: string; clientId: string; scope: string; audience: string };
  NetworkSpeed: { rxBytesPerSecond: number; txBytesPerSecond: number; sampledMs: number };
  Storage: { roots: { path: string; totalBytes: number; freeBytes: number }[]; fileSystem: { id: string; state: string; sizeBytes: number; throughputMode: string } | null; data?: Schemas['DataUse'] };
  DataUse: { parts: ({ name: "records" | "queue" | "index" | "attachments" | "datasets" | "workspaces" | "temporary" | "other"; bytes: number })[]; isComplete: boolean };
  ProtectedResource: { resource: string; resource_name: string; authorization_servers?: string[]; bearer_methods_supported: "header"[] };
}

export interface paths {
  "/api/workspaces": {
    get: { parameters: { query?: { limit?: number; cursor?: string; with?: "state" } }; responses: { 200: { content: { "application/json": Schemas['ListedWorkspace'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { path: string; name?: string } } }; responses: { 200: { content: { "application/json": Schemas['Workspace'] } }; 201: { content: { "application/json": Schemas['Workspace'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceDetail'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/permissions": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Permissions'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['PutPermissions'] } }; responses: { 200: { content: { "application/json": Schemas['Permissions'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/members": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Members'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['Members'] } }; responses: { 200: { content: { "application/json": Schemas['Members'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/browse": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; path?: string; hidden?: "true" | "false" } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/read": {
    get: { parameters: { query: { workspaceId: string; path: string; as?: "file" | "indexed" } }; responses: { 200: { content: { "application/json": Schemas['FileContent'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/raw": {
    get: { parameters: { query: { workspaceId: string; path: string } }; responses: { 200: { content: { "*/*": string } }; 206: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/write": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string; content: string; expectedHash?: string | null } } }; responses: { 200: { content: { "application/json": Schemas['WrittenFile'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/upload": {
    post: { parameters: {  }; requestBody: { content: { "multipart/form-data": string } }; responses: { 201: { content: { "application/json": Schemas['WrittenFile'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/delete": {
    delete: { parameters: { query?: { workspaceId?: string; path?: string } }; requestBody: { content: { "application/json": { workspaceId: string; path: string } } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/rename": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; oldPath: string; newPath: string; overwrite?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/mkdir": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string } } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'] } }; 201: { content: { "application/json": Schemas['DirectoryEntry'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/uploads": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string; size: number } } }; responses: { 201: { content: { "application/json": Schemas['StartedUpload'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/uploads/{uploadId}": {
    get: { parameters: { path: { uploadId: string } }; responses: { 200: { content: { "application/json": Schemas['UploadStatus'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/files/uploads/{uploadId}/parts": {
    post: { parameters: { path: { uploadId: string } }; responses: { 200: { content: { "application/json": Schemas['UploadParts'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/sync": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['IndexState'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: { path: { workspaceId: string } }; responses: { 202: { content: { "application/json": { syncId: string } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/files": {
    get: { parameters: { query: { limit?: number; cursor?: string; state: "skipped" | "failed" | "indexed" }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['ListedFile'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/system/reindex": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Reindex'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; responses: { 202: { content: { "application/json": Schemas['Reindex'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/chat": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; messages: ({ id?: string; role: "system" | "user" | "assistant"; content?: string; parts?: { type: string; text?: string; url?: string; mediaType?: string; filename?: string; toolCallId?: string; state?: string; input?: unknown; output?: unknown; errorText?: string; approval?: { id: string; approved?: boolean; reason?: string } }[] })[]; provider?: "a" | "b" | "c"; model?: string; id?: string; trigger?: "submit-message" | "regenerate-message"; messageId?: string | null } } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/chat/{conversationId}/stream": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/event-stream": string } }; 204: { content?: never }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/chat/{conversationId}/stop": {
    post: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['Conversation'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/search": {
    get: { parameters: { query: { q: string; k?: number }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['FoundPassage'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/conversations": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; q?: string } }; responses: { 200: { content: { "application/json": Schemas['Conversation'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/conversations/{conversationId}": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['ConversationWithMessages'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { conversationId: string } }; requestBody: { content: { "application/json": { title?: string; pinned?: boolean; shared?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Conversation'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/conversations/{conversationId}/attachments/{hash}": {
    get: { parameters: { path: { conversationId: string; hash: string } }; responses: { 200: { content: { "application/octet-stream": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/conversations/{conversationId}/export": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/markdown": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { messages: ({ id?: string; role: "system" | "user" | "assistant"; content?: string; parts?: { type: string; text?: string; url?: string; mediaType?: string; filename?: string; toolCallId?: string; state?: string; input?: unknown; output?: unknown; errorText?: string; approval?: { id: string; approved?: boolean; reason?: string } }[] })[]; workspaceId: string; cwd: string; mode?: "agent" | "plan" | "ask"; skillId?: string; paramValues?: Record<string, string | number | boolean>; provider?: "a" | "b" | "c"; model?: string; id?: string; trigger?: string; messageId?: string | null } } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/runs": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; status?: "running" | "waiting" | "done" | "failed" | "stopped"; kind?: "agent" | "research" } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/runs/{runId}": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/runs/{runId}/stream": {
    get: { parameters: { query?: { after?: number }; path: { runId: string } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/{conversationId}/stream": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/event-stream": string } }; 204: { content?: never }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/runs/{runId}/stop": {
    post: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/runs/{runId}/approvals/{approvalId}": {
    post: { parameters: { path: { runId: string; approvalId: string } }; requestBody: { content: { "application/json": { approved: boolean; reason?: string; always?: string } } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/agent/summarize": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; messages: ({ id?: string; role: "system" | "user" | "assistant"; content?: string; parts?: { type: string; text?: string; url?: string; mediaType?: string; filename?: string; toolCallId?: string; state?: string; input?: unknown; output?: unknown; errorText?: string; approval?: { id: string; approved?: boolean; reason?: string } }[] })[]; trigger?: string; preview?: boolean; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['Summary'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research": {
    get: { parameters: { query: { workspaceId: string; sources?: string } }; responses: { 200: { content: { "application/json": Schemas['ResearchDepth'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; question: string; sources?: ("files" | "datasets" | "papers")[]; addresses?: string[]; depth?: "quick" | "standard" | "deep"; budget?: { calls?: number; tokens?: number; minutes?: number }; language?: string; approvePlan?: boolean } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research/{runId}": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['Research'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research/{runId}/export": {
    get: { parameters: { query?: { format?: "md" | "html" | "docx" | "bibtex" | "csl" }; path: { runId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research/{runId}/plan": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { questions?: { question: string; answeredBy?: string; keywords?: string[] }[]; approved?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Research'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research/{runId}/continue": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { question: string; budget?: { calls?: number; tokens?: number; minutes?: number } } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/research/{runId}/refresh": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { budget?: { calls?: number; tokens?: number; minutes?: number } } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/terminal/exec": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { command: string; cwd: string } } }; responses: { 200: { content: { "application/json": Schemas['CommandResult'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets": {
    get: { parameters: { query?: { limit?: number; cursor?: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateDataset'] } }; responses: { 201: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/import-local": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['ImportLocalDataset'] } }; responses: { 201: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/repo-info": {
    get: { parameters: { query: { repoId: string; repoType?: "dataset" | "model" | "space" } }; responses: { 200: { content: { "application/json": Schemas['RepoInfo'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/modelscope-info": {
    get: { parameters: { query: { repoId: string; repoType?: "dataset" | "model" | "space" } }; responses: { 200: { content: { "application/json": Schemas['RepoInfo'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { query?: { deleteFiles?: "true" | "false" }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/status": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['DatasetStatus'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/pause": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/cancel": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/retry": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/refresh": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; 202: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/preview": {
    get: { parameters: { query?: { split?: string; n?: number; offset?: number }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['DatasetPreview'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/datasets/{datasetId}/workspaces": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['LinkedWorkspace'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: { path: { datasetId: string } }; requestBody: { content: { "application/json": { workspaceId: string } } }; responses: { 200: { content: { "application/json": Schemas['LinkedWorkspace'] } }; 201: { content: { "application/json": Schemas['LinkedWorkspace'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { query: { workspaceId: string }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/paper-study/search": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['SearchPapers'] } }; responses: { 200: { content: { "application/json": Schemas['FoundPapers'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/papers": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['KeptPaper'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['KeepPaper'] } }; responses: { 200: { content: { "application/json": Schemas['KeptPaper'] } }; 201: { content: { "application/json": Schemas['KeptPaper'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/skills": {
    get: { parameters: { query?: { limit?: number; cursor?: string; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Skill'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateSkill'] } }; responses: { 201: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/skills/import": {
    post: { parameters: { query?: { workspaceId?: string } }; requestBody: { content: { "application/json": Schemas['ImportSkill']; "text/markdown": string; "application/zip": string } }; responses: { 201: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/skills/{skillId}": {
    get: { parameters: { path: { skillId: string } }; responses: { 200: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { skillId: string } }; requestBody: { content: { "application/json": { name?: string; slug?: string; description?: string; systemPrompt?: string; steps?: Schemas['SkillStep'][]; allowedTools?: (("readFile" | "listDirectory" | "grep" | "writeFile" | "editFile" | "bash" | "searchWorkspace" | "searchArticles" | "readPaper" | "research" | "getSkill" | "cluster" | "submitJob" | "collectJobResults")[]) | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { path: { skillId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/skills/{skillId}/export": {
    get: { parameters: { query?: { format?: "markdown" | "json" }; path: { skillId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/scheduled-tasks": {
    get: { parameters: { query?: { limit?: number; cursor?: string; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateTask'] } }; responses: { 201: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/scheduled-tasks/{taskId}": {
    get: { parameters: { path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { taskId: string } }; requestBody: { content: { "application/json": { name?: string; taskType?: "daily_report" | "weekly_report" | "git_sync" | "source_sync" | "custom"; schedule?: string; timezone?: string; workspaceId?: string | null; config?: Record<string, unknown> | null; isEnabled?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/scheduled-tasks/{taskId}/runs": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['TaskRun'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/scheduled-tasks/{taskId}/run": {
    post: { parameters: { path: { taskId: string } }; responses: { 202: { content: { "application/json": { runId: string } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/activity": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Activity'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/usage": {
    get: { parameters: { query?: { from?: string; to?: string; groupBy?: "day" | "caller" | "workspace" | "model" | "kind" } }; responses: { 200: { content: { "application/json": Schemas['Usage'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/budgets": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Budget'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: {  }; requestBody: { content: { "application/json": ({ scope: "service" | "workspace" | "caller"; id?: string; monthlyUsd?: number; monthlyTokens?: number; used?: unknown; resetsAt?: unknown; warning?: unknown })[] } }; responses: { 200: { content: { "application/json": Schemas['Budget'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/audit": {
    get: { parameters: { query?: { limit?: number; cursor?: string; from?: string | string; to?: string | string; actor?: string; action?: string } }; responses: { 200: { content: { "application/json": Schemas['AuditEntry'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/audit/export": {
    get: { parameters: { query?: { limit?: number; cursor?: string; from?: string | string; to?: string | string; actor?: string; action?: string } }; responses: { 200: { content: { "text/csv": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/notes": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; type?: "manual" | "summary" | "faq" | "brief" | "timeline" | "memory" | "daily_report" | "weekly_report"; q?: string } }; responses: { 200: { content: { "application/json": Schemas['Note'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; title: string; content?: string } } }; responses: { 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/notes/{noteId}": {
    get: { parameters: { path: { noteId: string } }; responses: { 200: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: { path: { noteId: string } }; requestBody: { content: { "application/json": { title?: string; content?: string; ifUpdatedAt?: string } } }; responses: { 200: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { path: { noteId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/generate": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; type: "summary" | "faq" | "brief" | "timeline" | "memory" | "daily_report" | "weekly_report"; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/daily-report": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; date?: unknown & unknown; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/weekly-report": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/git/clone": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { url: string; rootPath: string } } }; responses: { 201: { content: { "application/json": Schemas['Workspace'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/git/pull": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string } } }; responses: { 200: { content: { "application/json": Schemas['Pulled'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/git/status": {
    get: { parameters: { query: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['RepositoryStatus'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/cluster/status": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ClusterStatus'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/cluster/operations": {
    get: { parameters: { query?: { workspaceId?: string; limit?: number; offset?: number } }; responses: { 200: { content: { "application/json": { operations: Schemas['ClusterOperation'][]; total: number; limit: number; offset: number } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/models": {
    get: { parameters: { query?: { provider?: "a" | "b" | "c" } }; responses: { 200: { content: { "application/json": Schemas['Models'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/settings": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Settings'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    put: { parameters: {  }; requestBody: { content: { "application/json": { llmProvider?: ("a" | "b" | "c") | null; llmModel?: string | null; hubAToken?: string | null; reportTimezone?: string | null; prices?: Record<string, Schemas['ModelPrice']> | null } } }; responses: { 200: { content: { "application/json": Schemas['UpdatedSettings'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/me": {
    get: { parameters: { query?: { workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Me'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/tokens": {
    get: { parameters: { query?: { limit?: number; cursor?: string } }; responses: { 200: { content: { "application/json": Schemas['Token'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { name: string; role: "viewer" | "member" | "admin"; workspaceIds?: string[] | null; expiresAt?: string | null } } }; responses: { 201: { content: { "application/json": Schemas['CreatedToken'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/tokens/{tokenId}": {
    delete: { parameters: { path: { tokenId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/bot/ima": {
    post: { parameters: {  }; requestBody: { content: { "application/json": string } }; responses: { 200: { content: { "application/json": { challenge: string } | { toast: { type: "info"; content: string } } | { ok: true } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/bot/ima/push": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { chatId: string; title?: string; content: string; type?: "card" | "text" } } }; responses: { 200: { content: { "application/json": { ok: true; messageId?: string } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/bot/imb": {
    get: { parameters: { query?: { msg_signature?: string; signature?: string; timestamp?: string; nonce?: string; echostr?: string } }; responses: { 200: { content: { "text/plain": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: { query?: { msg_signature?: string; signature?: string; timestamp?: string; nonce?: string } }; requestBody: { content: { "text/xml": string } }; responses: { 200: { content: { "text/xml": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/mcp-servers": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['McpServer'][] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['CreateMcpServer'] } }; responses: { 201: { content: { "application/json": Schemas['McpServer'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
    delete: { parameters: { query: { name: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/workspaces/{workspaceId}/mcp-servers/{name}/tools": {
    get: { parameters: { query?: { fresh?: "true" | "false" }; path: { workspaceId: string; name: string } }; responses: { 200: { content: { "application/json": Schemas['ServerTools'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/mcp": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { jsonrpc: "2.0"; id?: string | number; method: string; params?: Record<string, unknown> } } }; responses: { 200: { content: { "text/event-stream": string } }; 202: { content: { "text/plain": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/health": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": { status: "ok" | "degraded"; disk?: "ok" | "low" | "full"; version: string; aiAvailable: boolean; login?: Schemas['Login'] } } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/system/network": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['NetworkSpeed'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/system/storage": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Storage'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/.well-known/oauth-protected-resource": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ProtectedResource'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/.well-known/oauth-protected-resource/api/mcp": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ProtectedResource'] } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/openapi.json": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": unknown } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/docs": {
    get: { parameters: {  }; responses: { 200: { content: { "text/html": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
  "/api/docs/{asset}": {
    get: { parameters: { path: { asset: string } }; responses: { 200: { content: { "text/javascript": string } }; default: { content: { 'application/json': Schemas['Error'] } } } };
  };
}

