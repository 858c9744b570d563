// Made by `npm run client` from the OpenAPI document: change the routes, and run it again.

export interface Schemas {
  PutPermissions: { rules: Schemas['PutPermissionsRule'][]; sandboxed?: boolean; network?: string[] };
  Members: Schemas['Member'][];
  Member: { subject?: string; group?: string; role: Schemas['MemberRole']; name?: string };
  DocumentCorrection: { title?: string | null; authors?: string[] | null; year?: number | null; doi?: string | null; tags?: string[] | null; citeKey?: string | null };
  SearchFilter: { kind?: Schemas['DocumentKind']; year?: Schemas['YearRange']; modified?: Schemas['MomentRange']; author?: string; tag?: string; source?: string; path?: string };
  EvidenceRows: { paths?: string[]; glob?: string; sourceId?: string };
  EvidenceColumnInput: { id?: string; name: string; question: string; type: Schemas['EvidenceColumnType']; choices?: string[]; unit?: string };
  EvidenceTableChange: { name?: string; columns?: Schemas['EvidenceColumnInput'][]; addRows?: Schemas['EvidenceRows']; removeRows?: string[]; cells?: Schemas['CorrectedEvidenceCell'][]; followNew?: boolean; budget?: Schemas['ResearchBudget'] | null };
  CorrectedEvidenceCell: { path: string; columnId: string; value?: (string | number | boolean) | null; reset?: boolean; ifAt?: string | null };
  CreateDataset: { repoId: string; repoType?: Schemas['RepoType']; revision?: string; name?: string; allowPatterns?: string[]; ignorePatterns?: string[]; source?: Schemas['DatasetHub'] };
  ImportLocalDataset: { localPath: string; name?: string };
  SearchPapers: { keywords: string[]; maxResults?: number; dateFrom?: string; dateTo?: string; sources?: Schemas['SearchPapersSource'][] };
  KeepPaper: { pdfUrl: string };
  DocumentLookupRequest: { identifier?: string };
  CiteRequest: { paths: string[] };
  CreateSkill: { name: string; slug?: string; description?: string; systemPrompt: string; steps?: Schemas['SkillStep'][]; allowedTools?: Schemas['ToolName'][] | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean; workspaceId?: string | null };
  SkillStep: { instruction: string; toolHint?: string };
  SkillParameter: { name: string; label: string; type: Schemas['SkillParameterType']; required: boolean; defaultValue?: string | number | boolean; options?: string[]; placeholder?: string };
  ImportSkill: { content?: string; skill?: Schemas['ImportedSkill']; url?: string; workspaceId?: string | null };
  ImportedSkill: { name: string; slug?: string; description?: string; systemPrompt: string; steps?: Schemas['SkillStep'][]; allowedTools?: Schemas['ToolName'][] | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean; id?: unknown; workspaceId?: unknown; createdAt?: unknown; updatedAt?: unknown };
  CreateTask: { name: string; taskType: Schemas['TaskType']; schedule: string; timezone?: string; workspaceId?: string | null; config?: Record<string, unknown> | null; isEnabled?: boolean };
  CreateSource: { name: string; kind: Schemas['SourceKind']; config: Schemas['SourceSettings']; schedule?: string; maxBytes?: number; maxFiles?: number };
  ChangeSource: { config?: Schemas['SourceCredentials']; schedule?: string | null; maxBytes?: number; maxFiles?: number };
  WebSearchChange: { provider: Schemas['WebSearchChoice']; baseUrl?: string; apiKey?: string };
  ModelPrice: { inputPerMillion: number; outputPerMillion: number };
  CreateMcpServer: { name: string; url: string; headers?: Record<string, string> };
  ListedWorkspace: { id: string; name: string; rootPath: string; createdAt: string; example?: Schemas['ExampleLanguage']; state?: Schemas['ListedWorkspaceState'] };
  IndexProgress: { status: Schemas['IndexStatus']; total: number; done: number; failedCount: number; finishedAt: string | null; waitingCount: number; index: Schemas['IndexProgressIndex'] | null };
  Conversation: { id: string; workspaceId: string; workspaceIds?: string[]; title: string; kind: Schemas['ConversationKind']; mode: string | null; ownerId: string; shared: boolean; pinned: boolean; messageCount: number; createdAt: string; updatedAt: string; answering: boolean; failed?: boolean; ownerName?: string };
  ErrorResponse: { error: string };
  Workspace: { id: string; name: string; rootPath: string; createdAt: string; example?: Schemas['ExampleLanguage'] };
  ExampleWorkspace: { id: string; name: string; rootPath: string; createdAt: string; example?: Schemas['ExampleLanguage']; conversationId: string; runId: string };
  WorkspaceDetail: { id: string; name: string; rootPath: string; createdAt: string; example?: Schemas['ExampleLanguage']; index: Schemas['IndexState']; noteCount: number };
  IndexState: { syncId: string | null; status: Schemas['IndexStatus']; total: number; done: number; newCount: number; updatedCount: number; unchangedCount: number; removedCount: number; failedCount: number; textsEmbedded: number; skippedCount: number; waitingCount: number; recognizing?: Schemas['IndexStateRecognizing']; index: Schemas['HeldFiles'] | null; errors: Schemas['FileError'][]; embedding: string | null; startedAt: string | null; finishedAt: string | null; watching: Schemas['FolderWatching']; asOf: string | null };
  Deleted: { success: boolean };
  WorkspaceSettings: { citationJudge: Schemas['CitationJudge'] | null; citationJudgeInForce: Schemas['CitationJudge']; citationJudgeSource: Schemas['CitationJudgeSource']; webSearch: Schemas['WebSearchProvider'] | null };
  Permissions: { rules: Schemas['KeptPermissionRule'][]; defaults: Schemas['PermissionRule'][]; lockedBy: Schemas['PermissionsLockedBy'] | null; sandboxed: boolean; sandboxGap: Schemas['SandboxGap'] | null; network: string[] };
  KeptPermissionRule: { tool: string; pattern: string; action: Schemas['PermissionAction']; addedBy: string; addedAt: string; answeredCall: string | null; addedByName?: string };
  PermissionRule: { tool: string; pattern: string; action: Schemas['PermissionAction'] };
  DirectoryEntry: { name: string; path: string; type: Schemas['DirectoryEntryType']; size: number; modifiedAt: string };
  FileContent: { path: string; size: number; modifiedAt: string; hash: string; content: string; encoding: string; parts?: Schemas['FileContentPart'][]; blocks?: Schemas['FileContentBlock'][] };
  FileProvenance: { url: string; fetchedAt: string; sourceId: string | null; kind: string; etag?: string; title?: string; authors?: string[] };
  WrittenFile: { path: string; size: number; modifiedAt: string; hash: string };
  LateAnswer: { error?: string; status?: number; code?: string; field?: string; retryAfter?: number };
  StartedUpload: { uploadId: string; url: string; headers: Record<string, string>; expiresAt: string };
  UploadStatus: { status: Schemas['UploadState']; error?: string };
  UploadParts: { partBytes: number; count: number; missing: Schemas['UploadPartsMissing'][]; expiresAt: string };
  ListedFile: { path: string; size: number; state: Schemas['FileState']; reason?: Schemas['LeftOutReason']; found?: string; kind: string; title?: string; left?: Schemas['LeftContent'][]; encoding?: Schemas['ListedFileEncoding']; recognition?: Schemas['ListedFileRecognition'] };
  Document: { path: string; title: string; authors: string[]; year: number | null; doi: string | null; kind: Schemas['DocumentKind']; tags: string[]; citeKey: string | null; corrected: Schemas['DocumentCorrected'][]; stated: Schemas['StatedFacts'] };
  Reindex: { status: Schemas['ReindexStatus']; model: string | null; workspaces: Schemas['ReindexWorkspaces']; textsEmbedded: number; startedAt: string | null; finishedAt: string | null };
  FoundPassage: { workspaceId?: string; path: string; title?: string; authors?: string[]; year?: number; source?: Schemas['FileOrigin']; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; context: string; text: string; score: number; fileHash: string };
  FileOrigin: { url: string; fetchedAt: string };
  BrokenCitation: { id: string; document: Schemas['CitingDocument']; citation: Schemas['BrokenQuote']; reason: Schemas['BrokenReason']; since: string; suggestion?: Schemas['RepairSuggestion'] };
  RepairedCitation: { document: Schemas['CitingDocument']; citation: Schemas['BrokenQuote'] };
  CitationCount: { citations: number; documents: number; isWhole: boolean };
  CitationNow: { state: Schemas['CitationState']; place?: Schemas['RepairSuggestion'] };
  OpenaiModels: { object: Schemas['OpenaiListType']; data: Schemas['OpenaiModel'][] };
  OpenaiModel: { id: string; object: Schemas['OpenaiModelType']; created: number; owned_by?: string; name: string };
  OpenaiError: { error: Schemas['OpenaiErrorDetail'] };
  OpenaiErrorDetail: { message: string; type: string; param: string | null; code: string };
  OpenaiCompletion: { id: string; object: Schemas['OpenaiCompletionType']; created: number; model: string; choices: Schemas['OpenaiChoice'][]; usage: Schemas['OpenaiCompletionUsage']; x_notices?: Schemas['OpenaiNotice'][] };
  OpenaiChoice: { index: number; message: Schemas['OpenaiMessage']; finish_reason?: string };
  OpenaiMessage: { role: Schemas['OpenaiAssistantRole']; content: string; annotations: Schemas['OpenaiUrlCitation'][] };
  OpenaiUrlCitation: { type: Schemas['OpenaiUrlCitationType']; url_citation?: Schemas['OpenaiUrlCitationPlace']; x_citation?: Schemas['Citation'] };
  QuotedPiece: { startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string };
  Finding: { rule: Schemas['FindingRule']; own: string; found?: string; where?: Schemas['FoundPlace'] };
  CitationCheck: { kind: Schemas['CheckKind']; ok: boolean; detail?: string };
  CitedClaim: { text: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string; support: Schemas['Support']; quotes?: Schemas['QuotedPiece'][]; reason?: string; judged?: boolean; by?: Schemas['Decider']; findings?: Schemas['Finding'][]; checks: Schemas['CitationCheck'][] };
  FoundSentence: { start: number; end: number; text: string };
  Citation: { index: number; workspaceId?: string; path: string; title?: string; authors?: string[]; year?: number; source?: Schemas['FileOrigin']; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string; fileHash: string; verified: boolean; stale: boolean; support?: Schemas['Support']; quotes?: Schemas['QuotedPiece'][]; reason?: string; judged?: boolean; by?: Schemas['Decider']; findings?: Schemas['Finding'][]; checks?: Schemas['CitationCheck'][]; claims?: Schemas['CitedClaim'][]; origin?: Schemas['CitationOrigin']; sentences?: Schemas['FoundSentence'][] };
  OpenaiCompletionUsage: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number };
  OpenaiResponse: { id: string; object: Schemas['OpenaiResponseType']; created_at?: number; status: string; model: string; output: Schemas['OpenaiOutputItem'][]; store: boolean; x_notices?: Schemas['OpenaiNotice'][] };
  OpenaiOutputItem: { id: string; type: string; content: Schemas['OpenaiOutputText'][] };
  OpenaiOutputText: { type: string; text: string; annotations: Schemas['OpenaiFileCitation'][] };
  OpenaiFileCitation: { type: Schemas['OpenaiFileCitationType']; file_id?: string; filename: string; index: number; x_citation?: Schemas['Citation'] };
  ConversationWithMessages: { id: string; workspaceId: string; workspaceIds?: string[]; title: string; kind: Schemas['ConversationKind']; mode: string | null; ownerId: string; shared: boolean; pinned: boolean; messageCount: number; createdAt: string; updatedAt: string; answering: boolean; failed?: boolean; ownerName?: string; messages: Schemas['PlacedMessage'][]; branches: Record<string, string[]>; run: Schemas['AgentRun'] | null };
  PlacedMessage: { id: string; role: Schemas['PlacedMessageRole']; parts: Schemas['PlacedMessagePart'][]; metadata?: Schemas['PlacedMessageMetadata']; parentId: string | null };
  AgentRun: { id: string; workspaceId: string; kind: Schemas['RunKind']; mode: Schemas['AgentMode']; status: Schemas['RunStatus']; request: string; conversationId: string | null; steps: number; failedCalls: number; createdAt: string; finishedAt: string | null; error: string | null; changes: Schemas['RunChangeCounts'] | null; title: string; origin: Schemas['RunOrigin']; draft?: Schemas['CheckedDraft']; approvals?: Schemas['Approval'][]; answered?: Schemas['AgentRunAnswered'][] };
  RunChangeCounts: { created: number; changed: number; deleted: number; moved: number; undone: number };
  Approval: { id: string; toolName: string; input: unknown; summary: string; effects: Schemas['CallEffect'][]; requiredBy: string | null; subjects: string[]; expiresAt: string; before?: Schemas['FileBefore']; wider: string[]; always: string | null };
  CallEffect: { kind: Schemas['CallEffectKind']; path?: string; to?: string; lines?: number; command?: string };
  FileBefore: { state: Schemas['FileBeforeState']; text?: string; size?: number };
  OwnFeedback: { messageId: string; rating: Schemas['Rating']; reasons: Schemas['FeedbackReason'][]; comment: string; updatedAt: string };
  Feedback: { id: string; messageId: string; rating: Schemas['Rating']; reasons: Schemas['FeedbackReason'][]; comment: string; updatedAt: string; personId: string; personName?: string; conversationId: string; workspaceId: string; kind: Schemas['ConversationKind']; model: string | null; shared: Schemas['RatedAnswer'] | null };
  RatedAnswer: { question: string; answer: string; passages: Schemas['RatedPassage'][] };
  RatedPassage: { workspaceId: string; path: string; startLine: number; endLine: number; quote: string; title?: string; support?: Schemas['Support'] };
  AgentRunMessage: { id: string; text: string; createdAt: string; state: Schemas['AgentRunMessageState'] };
  RunChanges: { files: Schemas['ChangedFile'][]; counts: Schemas['RunChangesCounts']; complete: boolean; keptUntil: string | null; undoneAt: string | null };
  ChangedFile: { path: string; type: Schemas['ChangedFileType']; change: Schemas['ChangedFileChange']; undo: Schemas['ChangedFileUndo']; from?: string };
  Summary: { title: string; content: string };
  Note: { id: string; workspaceId: string; title: string; content: string; type: Schemas['NoteType']; reportDate: string | null; runId?: string; createdBy?: string; createdAt: string; updatedAt: string; createdByName?: string };
  StartedDraftCheck: { runId: string };
  DraftCheck: { runId: string; workspaceIds: string[]; filter?: Schemas['SearchFilter']; name: string; format: Schemas['DraftFormat']; status: Schemas['RunStatus']; createdAt: string; finishedAt: string | null; error: string | null; ended: string | null; judge: boolean; judgeError: Schemas['DraftJudgeError'] | null; counts: Schemas['DraftCheckCounts']; text: string; sentences: Schemas['CheckedSentence'][]; references?: Schemas['CheckedReference'][]; calls: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  CheckedSentence: { n: number; verdict: Schemas['DraftVerdict']; reason: string; judgedBy?: Schemas['DraftJudge']; support?: Schemas['Support']; by?: Schemas['Decider']; findings: Schemas['Finding'][]; citations: Schemas['DraftCitation'][]; text: string; start: number; end: number };
  DraftCitation: { index: number; workspaceId: string; path: string; title?: string; authors?: string[]; year?: number; source?: Schemas['FileOrigin']; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string; fileHash: string; verified: boolean; stale: boolean; support?: Schemas['Support']; quotes?: Schemas['QuotedPiece'][]; reason?: string; judged?: boolean; by?: Schemas['Decider']; findings?: Schemas['Finding'][]; checks?: Schemas['CitationCheck'][]; claims?: Schemas['CitedClaim'][]; origin?: Schemas['CitationOrigin']; sentences?: Schemas['FoundSentence'][] };
  CheckedReference: { entry: string; label?: string; start?: number; end?: number; state: Schemas['ReferenceState']; reason?: Schemas['ReferenceReason']; unavailable: string[]; record?: Schemas['ReferenceRecord']; differences: Schemas['ReferenceDifference'][]; citedBy: number[] };
  SuggestedCorrection: { n: number; sentence: string; citations: Schemas['DraftCitation'][] };
  ResearchDepthOption: { depth: Schemas['ResearchDepth']; questions: number; passages: number; estimate: Schemas['ResearchEstimate'] };
  ResearchEstimate: { calls: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  ResearchStarted: { runId: string; conversationId: string; estimate: Schemas['ResearchEstimate'] };
  Research: { runId: string; workspaceId: string; workspaceIds?: string[]; conversationId: string | null; previousRunId: string | null; question: string; filter?: Schemas['SearchFilter']; depth: Schemas['ResearchDepth']; status: Schemas['RunStatus']; createdAt: string; error: string | null; ended: string | null; plan: Schemas['ResearchPlan'] | null; evidence: Schemas['ResearchEvidence'][]; sections: Schemas['ResearchSection'][]; looked: Schemas['ResearchLooked'][]; openQuestions: string[]; noteId: string | null; counts: Schemas['ResearchCounts']; calls: number; inputTokens: number; outputTokens: number; costUsd: number | null; estimate: Schemas['ResearchEstimate'] };
  EvidenceTableSummary: { id: string; workspaceId: string; name: string; createdBy: string; createdAt: string; columns: Schemas['EvidenceColumn'][]; rowCount: number; glob: string | null; followNew: boolean; pilot: number; budget: Schemas['ResearchBudget'] | null; run: Schemas['EvidenceRun'] | null };
  EvidenceColumn: { id: string; name: string; question: string; type: Schemas['EvidenceColumnType']; choices?: string[]; unit?: string };
  StartedEvidenceTable: { tableId: string; runId: string; estimate: Schemas['EvidenceEstimate'] };
  SuggestedEvidenceColumns: { columns: Schemas['SuggestedEvidenceColumn'][] };
  SuggestedEvidenceColumn: { name: string; question: string; type: Schemas['EvidenceColumnType']; choices?: string[]; unit?: string };
  EvidenceTable: { id: string; workspaceId: string; name: string; createdBy: string; createdAt: string; columns: Schemas['EvidenceColumn'][]; rowCount: number; glob: string | null; followNew: boolean; pilot: number; budget: Schemas['ResearchBudget'] | null; run: Schemas['EvidenceRun'] | null; used: Schemas['EvidenceUsage'] | null; counts: Schemas['EvidenceCounts']; estimate: Schemas['EvidenceEstimate']; rows: Schemas['EvidenceRow'][] };
  EvidenceRow: { path: string; title: string; cells: Record<string, Schemas['EvidenceCell']> };
  EvidenceCell: { value: string | number | boolean | null; state: Schemas['EvidenceState']; verified: boolean; reason?: string; partly?: boolean; citations: Schemas['EvidenceQuote'][]; corrected?: Schemas['EvidenceCorrection']; outlier?: number; look: boolean };
  EvidenceQuote: { value: string; path: string; fileHash: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string };
  CommandResult: { stdout: string; stderr: string; exitCode: number; cwd: string; timedOut: boolean; truncated: boolean };
  TerminalSession: { id: string; workspaceId: string; createdAt: string; endsAt: string };
  Dataset: { id: string; name: string; repoId: string; repoType: Schemas['RepoType']; source: Schemas['DatasetSource']; revision: string | null; commit: string | null; allowPatterns: string[] | null; ignorePatterns: string[] | null; status: Schemas['DatasetStatus']; phase: Schemas['DatasetPhase']; downloadedBytes: number; totalBytes: number; downloadedFiles: number; totalFiles: number; bytesPerSecond: number | null; etaSeconds: number | null; error: string | null; localPath: string; stats: Schemas['DatasetStats'] | null; createdAt: string; updatedAt: string; progress: number; manifest: Schemas['DatasetManifest'] | null };
  DatasetStats: { sizeBytes: number; numFiles: number; formats: Record<string, number>; splits: Record<string, Schemas['DatasetStatsSplit']> };
  DatasetManifest: { version: 1; commit: string | null; splits: Record<string, Schemas['ManifestSplit']> };
  ManifestSplit: { files: Schemas['ManifestFile'][]; numFiles: number; numRows: number | null };
  ManifestFile: { path: string; format: string; sizeBytes: number; rows: number | null; sha256: string | null };
  RepoInfo: { repoId: string; repoType: Schemas['RepoType']; description: string | null; totalSize: number | null; totalFiles: number | null; lastModified: string | null; gated: boolean; revisions: string[] };
  DatasetProgress: { datasetId: string; status: Schemas['DatasetStatus']; progress: number; phase: Schemas['DatasetPhase']; downloadedBytes: number; totalBytes: number; downloadedFiles: number; totalFiles: number; bytesPerSecond: number | null; etaSeconds: number | null; error: string | null };
  DatasetPreview: { split: string; columns: Schemas['DatasetColumn'][]; rows: Record<string, unknown>[]; format: string; totalRows: number | null; notices: string[] };
  DatasetColumn: { name: string; type: string };
  LinkedWorkspace: { workspaceId: string; name: string; rootPath: string; linkedAt: string };
  FoundPapers: { articles: Schemas['Article'][]; totalCount: number; errors: Record<string, string> };
  Article: { id: string; title: string; authors: string[]; abstract?: string; url: string; pdfUrl: string | null; publishedDate: string | null; source: Schemas['PaperSource']; doi: string | null; isOpen?: boolean; license?: string; score: number };
  KeptPaper: { path: string; title: string; authors: string[]; url: string | null; doi: string | null; arxivId: string | null; publishedDate: string | null; license: string | null; retrievedAt: string | null; isPdf: boolean; isWhole: boolean };
  BibliographyEntry: { key: string; type: string; title: string; authors: string[]; year: number | null; venue: string | null; doi: string | null; arxivId: string | null; documents: string[] };
  DocumentLookup: { state: Schemas['DocumentLookupState']; record: Schemas['DocumentRecord'] | null; unavailable: string[] };
  CitedDocument: { path: string; item: Schemas['CslItem'] };
  CslItem: { id: string; type: string; title: string; author?: Schemas['CslName'][]; issued?: Schemas['CslDate']; "container-title"?: string; accessed?: Schemas['CslDate']; DOI?: string; URL?: string; archive?: string; number?: string; note?: string };
  Skill: { id: string; workspaceId: string | null; name: string; slug: string; description: string; systemPrompt: string; steps: Schemas['KeptSkillStep'][]; allowedTools: string[] | null; parameters: Schemas['KeptSkillParameter'][]; isEnabled: boolean; createdAt: string; updatedAt: string };
  ScheduledTask: { id: string; name: string; taskType: Schemas['TaskType']; schedule: string; timezone: string; workspaceId: string | null; config: Record<string, unknown>; isEnabled: boolean; nextRunAt: string | null; lastRunAt: string | null; lastRunStatus: Schemas['ScheduledTaskLastRunStatus'] | null; lastRunError: string | null; stoppedAt?: string | null; createdAt: string; updatedAt: string };
  TaskRun: { id: string; taskId: string; trigger: Schemas['TaskRunTrigger']; scheduledFor: string; status: Schemas['TaskRunStatus']; startedAt: string | null; finishedAt: string | null; error: string | null; summary: string | null; noteId: string | null; attempts: number; workspaces: Schemas['TaskRunWorkspaces'] | null };
  Source: { id: string; name: string; kind: Schemas['SourceKind']; config: Schemas['ShownSourceSettings']; taskId: string | null; maxBytes: number; maxFiles: number; createdBy: string; createdAt: string; schedule: string | null; path: string; lastRun: Schemas['SourceLastRun'] | null };
  SourceRun: { id: string; dryRun: boolean; trigger: Schemas['SourceTrigger']; status: Schemas['SourceRunStatus']; startedAt: string; finishedAt: string | null; error: string | null; requests: number; done: number; total: number | null; counts: Schemas['SourceCounts']; changes: Schemas['SourceFileChange'][] };
  Activity: { id: string; workspaceId: string; kind: Schemas['ActivityKind']; actor: string; summary: string; details: Record<string, string | number | boolean | null>; createdAt: string };
  Usage: { from: string; to: string; rows: Schemas['UsageRow'][]; totals: Schemas['UsageSums']; unpricedModels: string[] };
  Budget: { scope: Schemas['BudgetScope']; id: string; monthlyUsd?: number; monthlyTokens?: number; name?: string; used: Schemas['BudgetUsed']; warning?: string; resetsAt: string };
  AuditEntry: { id: string; at: string; actor: string; role: string; action: string; workspaceId: string | null; about: string | null; outcome: Schemas['AuditEntryOutcome']; status: number | null; address: string | null; actorName?: string };
  Memory: { id: string; text: string; shared: boolean; createdBy: string; createdAt: string; updatedAt: string; scope: Schemas['MemoryScope']; workspaceId: string | null; createdByName?: string };
  SkippedReport: { skipped: boolean; reason: Schemas['SkippedReportReason']; noteId?: string };
  Pulled: { branch: string; from: string; to: string; changedFiles: number };
  RepositoryStatus: { isGitRepo: boolean; branch: string | null; clean: boolean; modified: Schemas['RepositoryStatusModified'][]; branches: string[]; canPush: boolean; hasUpstream: boolean; ahead: number; behind: number };
  FileDiff: { path: string; patch: string; binary: boolean; truncated: boolean };
  CommitLog: { commits: Schemas['Commit'][] };
  Commit: { hash: string; author: string; createdAt: string; subject: string; body: string };
  ChangedFiles: { changedFiles: number };
  Committed: { branch: string; commit: string };
  DraftedCommitMessage: { message: string };
  SwitchedBranch: { branch: string; changedFiles: number };
  ClusterStatus: { nodes?: Schemas['ClusterNode'][]; jobs?: Schemas['ClusterJob'][]; pods?: Schemas['ClusterPod'][]; timestamp?: string; error?: string; configured: boolean };
  ClusterOperation: { id: string; workspaceId: string; tool: string; verb: string; resource: string; namespace: string; status: Schemas['ClusterOperationStatus']; approvedBy: string | null; summary: string; createdAt: string };
  Models: { provider: Schemas['ProviderId']; defaultModel: string | null; models: Schemas['Model'][] };
  Model: { id: string; name: string; contextTokens?: number; contextTokensFrom?: Schemas['WindowSource']; capabilities?: Schemas['ModelCapabilities'] };
  ModelCapabilities: { tools: boolean | null; jsonSchema: boolean | null; system: boolean | null; thinking: boolean | null; vision: boolean; readTokensPerSecond: number | null; writeTokensPerSecond: number | null; checkedAt: string | null };
  Settings: { aiAvailable: boolean; llmProvider: Schemas['ProviderId'] | null; llmModel: string | null; capabilities: Schemas['ModelCapabilities'] | null; contextTokens: number | null; contextWindow: Schemas['ContextWindow'] | null; reportedTokens: number | null; providers: Schemas['SettingsProviders']; embedding: Schemas['SettingsEmbedding']; semanticSearch: Schemas['SemanticSearch']; citationJudge: Schemas['CitationJudge']; citationJudgeSource: Schemas['ServiceJudgeSource']; workspaceRoots: string[]; hubAToken: Schemas['SettingsHubAToken']; webSearch: Schemas['WebSearchState']; codeHostToken: Schemas['SettingsCodeHostToken']; bots: Schemas['SettingsBots']; cluster: Schemas['SettingsCluster']; reportTimezone: string; prices: Record<string, Schemas['ModelPrice']>; listPrices: Schemas['SettingsListPrices'] };
  WebSearchState: { provider: Schemas['WebSearchProvider'] | null; source: Schemas['WebSearchSource'] | null; baseUrl: string | null; hasKey: boolean };
  UpdatedSettings: { aiAvailable: boolean; llmProvider: Schemas['ProviderId'] | null; llmModel: string | null; capabilities: Schemas['ModelCapabilities'] | null; contextTokens: number | null; contextWindow: Schemas['ContextWindow'] | null; reportedTokens: number | null; providers: Schemas['SettingsProviders']; embedding: Schemas['SettingsEmbedding']; semanticSearch: Schemas['SemanticSearch']; citationJudge: Schemas['CitationJudge']; citationJudgeSource: Schemas['ServiceJudgeSource']; workspaceRoots: string[]; hubAToken: Schemas['SettingsHubAToken']; webSearch: Schemas['WebSearchState']; codeHostToken: Schemas['SettingsCodeHostToken']; bots: Schemas['SettingsBots']; cluster: Schemas['SettingsCluster']; reportTimezone: string; prices: Record<string, Schemas['ModelPrice']>; listPrices: Schemas['SettingsListPrices']; notInForce?: Record<string, string> };
  ModelConnections: { connections: Schemas['ModelConnection'][]; asksHost: boolean };
  ModelConnection: { provider: Schemas['ProviderId']; name: string; source: Schemas['ConnectionSource']; hasKey: boolean; baseUrl: string | null; embeddingModel: string | null };
  TestedModelConnection: { ok: boolean; code: Schemas['TestCode'] | null; message: string | null; models: Schemas['KindedModel'][] };
  KindedModel: { id: string; name: string; kind: Schemas['ModelKind'] };
  LocalModelServers: { asksHost: boolean; servers: Schemas['LocalModelServersServer'][] };
  WorkspaceRoots: { items: Schemas['WorkspaceRoot'][]; canAdd: boolean };
  WorkspaceRoot: { path: string; source: Schemas['RootSource']; inForce: boolean };
  Webhook: { id: string; url: string; name: string; events: Schemas['WebhookEventType'][]; isEnabled: boolean; disabledReason: Schemas['WebhookDisabledReason'] | null; failingSince: string | null; createdAt: string };
  WebhookWithSecret: { id: string; url: string; name: string; events: Schemas['WebhookEventType'][]; isEnabled: boolean; disabledReason: Schemas['WebhookDisabledReason'] | null; failingSince: string | null; createdAt: string; secret: string };
  WebhookTest: { deliveryId: string };
  WebhookDelivery: { id: string; type: Schemas['WebhookDeliveryType']; state: Schemas['WebhookDeliveryState']; attempts: number; status: number | null; error: string | null; createdAt: string; nextAt: string | null; finishedAt: string | null };
  Me: { id: string; role: Schemas['Role']; workspaceIds: string[] | null; groups?: string[]; expiresAt?: string };
  Person: { id: string; name: string | null; email: string | null; kind: Schemas['PersonKind']; role: Schemas['Role']; isGlobalAdmin: boolean; state: Schemas['PersonState']; seenAt: string | null; reaches?: boolean };
  Token: { id: string; name: string; role: Schemas['Role']; workspaceIds: string[] | null; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null; rotatedAt?: string };
  CreatedToken: { id: string; name: string; role: Schemas['Role']; workspaceIds: string[] | null; createdAt: string; expiresAt: string | null; lastUsedAt: string | null; revokedAt: string | null; rotatedAt?: string; secret: string };
  Holding: { workspaceId: string | null; workspaceName: string | null; conversations: number; tasks: Schemas['HoldingTask'][]; isMember: boolean; isOnlyAdmin: boolean };
  Offboarding: { personId: string; action: Schemas['OffboardingAction']; kinds: Schemas['OwnedKind'][]; askedAt: string; finishedAt: string | null; done: Schemas['OffboardingDone']; left: Schemas['OffboardingLeft']; to: string | null };
  McpServer: { id: string; workspaceId: string; name: string; url: string; headerNames: string[]; createdBy: string; createdAt: string };
  ServerTools: { tools: Schemas['RemoteTool'][]; notices: string[] };
  RemoteTool: { name: string; remoteName: string; description: string; action: Schemas['RemoteToolAction'] };
  McpError: Schemas['ErrorResponse'] | Schemas['JsonRpcError'];
  Login: { issuer: string; clientId: string; scope: string; audience: string; acceptsTokens: boolean };
  NetworkSpeed: { rxBytesPerSecond: number; txBytesPerSecond: number; sampledMs: number };
  Storage: { roots: Schemas['StorageRoot'][]; fileSystem: Schemas['StorageFileSystem'] | null; data?: Schemas['DataUse'] };
  DataUse: { parts: Schemas['DataUsePart'][]; isComplete: boolean };
  Folders: { folder: Schemas['Folder'] | null; parent: string | null; folders: Schemas['Folder'][]; isComplete: boolean };
  Folder: { name: string; path: string; state: Schemas['FolderState']; workspaceId?: string };
  ProtectedResource: { resource: string; resource_name?: string; authorization_servers?: string[]; bearer_methods_supported?: Schemas['BearerMethod'][] };
  PermissionAction: "allow" | "ask" | "deny";
  PutPermissionsRule: { tool: string; pattern: string; action: Schemas['PermissionAction']; addedBy?: string; addedByName?: string; addedAt?: string; answeredCall?: string | null };
  MemberRole: "viewer" | "member" | "admin";
  DocumentKind: "pdf" | "documents" | "tables" | "notes" | "pictures" | "code" | "other";
  YearRange: { from?: number; to?: number };
  MomentRange: { from?: string; to?: string };
  EvidenceColumnType: "text" | "number" | "date" | "boolean" | "choice";
  ResearchBudget: { calls?: number; tokens?: number; minutes?: number };
  RepoType: "dataset" | "model" | "space";
  DatasetHub: "hub_a" | "hub_b";
  SearchPapersSource: "preprint_server" | "hub_a" | "semantic_scholar" | "openalex" | "arxiv" | "huggingface" | "semantic-scholar";
  ToolName: "readFile" | "listDirectory" | "grep" | "writeFile" | "editFile" | "bash" | "searchWorkspace" | "searchArticles" | "readPaper" | "research" | "verifyDraft" | "getSkill" | "cluster" | "submitJob" | "collectJobResults" | "rememberFact" | "webSearch";
  SkillParameterType: "string" | "number" | "boolean" | "select";
  TaskType: "daily_report" | "weekly_report" | "git_sync" | "source_sync" | "custom";
  SourceKind: "zotero" | "webdav" | "s3";
  SourceSettings: { apiKey?: string; groupId?: number | null; url?: string; user?: string; password?: string; endpoint?: string; region?: string; bucket?: string; prefix?: string; accessKeyId?: string; secretAccessKey?: string };
  SourceCredentials: { apiKey?: string; user?: string; password?: string; accessKeyId?: string; secretAccessKey?: string };
  WebSearchChoice: "off" | "searxng" | "brave" | "tavily";
  ExampleLanguage: "en" | "zh-CN";
  RunKind: "agent" | "research" | "verify" | "table";
  ListedWorkspaceStateWaiting: { id: string; workspaceId: string; kind: Schemas['RunKind']; title: string; conversationId: string | null; createdAt: string };
  ListedWorkspaceState: { index: Schemas['IndexProgress']; waiting: Schemas['ListedWorkspaceStateWaiting'][]; recent: Schemas['Conversation'][]; failed: string[] };
  IndexStatus: "idle" | "scanning" | "indexing" | "ready" | "failed";
  IndexProgressIndex: { searchable: number; noText: number; failed: number };
  ConversationKind: "chat" | "agent" | "bot" | "research";
  IndexStateRecognizing: { path: string; pages: number; pagesRead: number };
  HeldFiles: { searchable: number; noText: number; failed: number; skipped: number };
  FileError: { path: string; error: string };
  FolderWatching: "live" | "polling" | "off";
  CitationJudge: "on" | "off";
  CitationJudgeSource: "environment" | "settings" | "workspace";
  WebSearchProvider: "searxng" | "brave" | "tavily";
  PermissionsLockedBy: "loopback" | "records";
  SandboxGap: "missing" | "network" | "unbounded" | "elsewhere";
  DirectoryEntryType: "file" | "directory";
  FileContentPart: { page?: number; slide?: number; sheet?: string; cell?: number; recognized?: boolean; line: number; rowNumbers?: number[]; columnNumbers?: number[] };
  FileContentBlockKind: "heading" | "item" | "row";
  FileContentBlock: { line: number; kind: Schemas['FileContentBlockKind']; level?: number };
  UploadState: "waiting" | "moving" | "done" | "failed";
  UploadPartsMissing: { url: string; headers: Record<string, string>; number: number };
  FileState: "skipped" | "failed" | "indexed" | "partial";
  LeftOutReason: "kind" | "size" | "encrypted" | "no_text" | "ignored" | "broken" | "link" | "link_outside" | "link_broken" | "special" | "name" | "depth" | "unreadable" | "lfs_pointer" | "submodule" | "bibliography";
  LeftContent: { kind: string; count: number };
  ListedFileEncoding: { name: string; certain: boolean };
  ListedFileRecognition: { pages: number; pagesRead: number; waiting: boolean };
  DocumentCorrected: "title" | "authors" | "year" | "doi" | "tags" | "citeKey";
  StatedFacts: { title?: string | null; authors?: string[] | null; year?: number | null; doi?: string | null; tags?: string[] | null; citeKey?: string | null };
  ReindexStatus: "idle" | "running" | "ready" | "failed";
  ReindexWorkspaces: { total: number; done: number; failed: number };
  CitingDocumentKind: "note" | "answer" | "report";
  CitingDocument: { kind: Schemas['CitingDocumentKind']; id: string; title: string; messageId?: string; noteId?: string; workspaceId?: string };
  BrokenQuote: { index: number; path: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; quote: string; fileHash: string | null };
  BrokenReason: "changed" | "moved" | "deleted" | "retracted";
  RepairSuggestion: { path: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; fileHash: string };
  CitationState: "holds" | "changed" | "moved" | "deleted" | "retracted" | "updated" | "unknown";
  OpenaiListType: "list";
  OpenaiModelType: "model";
  OpenaiCompletionType: "chat.completion";
  OpenaiNotice: { code: string; text: string };
  OpenaiAssistantRole: "assistant";
  OpenaiUrlCitationType: "url_citation";
  OpenaiUrlCitationPlace: { start_index?: number; end_index?: number; url: string; title: string };
  FindingRule: "number_missing" | "unit_missing" | "date_missing" | "name_missing" | "quotation_missing" | "negation" | "direction" | "quantifier" | "amounts_exchanged" | "rank" | "clause" | "other_row" | "disowned" | "taken_back" | "same_sentence" | "not_judged" | "not_compared" | "no_quote" | "few_words" | "shares_sentences" | "subject_elsewhere" | "source_listed" | "source_unlisted" | "source_absent" | "source_otherwise" | "source_lacks" | "other_place_otherwise";
  FoundPlace: { path: string; startLine?: number; endLine?: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean };
  CheckKind: "number" | "date" | "name" | "unit" | "quote";
  Support: "full" | "partial" | "none" | "contradicted" | "unjudged";
  Decider: "code" | "nli" | "model";
  CitationOrigin: "model" | "service";
  OpenaiResponseType: "response";
  OpenaiFileCitationType: "file_citation";
  PlacedMessageRole: "user" | "assistant";
  PlacedMessagePart: { type: string };
  PlacedMessageMetadata: Record<string, unknown>;
  AgentMode: "agent" | "plan" | "ask";
  RunStatus: "running" | "waiting" | "done" | "failed" | "stopped";
  RunOrigin: "api" | "bot" | "task";
  CheckedDraftCounts: { claims: number; supported: number; unjudged: number; possible_errors?: number; checked?: number };
  CheckedDraft: { name: string; counts?: Schemas['CheckedDraftCounts'] };
  AgentRunAnswered: { id: string; approved: boolean };
  CallEffectKind: "deletes" | "deletesFolder" | "deletesSome" | "overwrites" | "replaces" | "removes" | "adds" | "edits" | "unchanged" | "creates" | "writes" | "moves" | "copies" | "makesFolder" | "reads" | "unknown" | "runs";
  FileBeforeState: "text" | "absent" | "binary" | "large" | "changed";
  Rating: "up" | "down";
  FeedbackReason: "correct" | "complete" | "good_passages" | "clear" | "incorrect" | "incomplete" | "wrong_passages" | "unsupported" | "unclear" | "other";
  AgentRunMessageState: "queued" | "delivered";
  RunChangesCounts: { created: number; changed: number; deleted: number; moved: number };
  ChangedFileType: "file" | "directory" | "link";
  ChangedFileChange: "created" | "changed" | "deleted" | "moved";
  ChangedFileUndo: "possible" | "conflict" | "done" | "not_kept";
  NoteType: "manual" | "summary" | "faq" | "brief" | "timeline" | "daily_report" | "weekly_report" | "memory";
  DraftFormat: "docx" | "md" | "tex" | "html" | "txt";
  DraftJudgeError: { code: string; message: string; sentences: number };
  DraftCheckCounts: { sentences: number; claims: number; checked: number; supported: number; partial: number; unjudged: number; contradicted: number; not_found?: number; no_claim?: number; possible_errors?: number; listed: number };
  DraftVerdict: "supported" | "partial" | "contradicted" | "not_found" | "no_claim";
  DraftJudge: "code" | "model";
  ReferenceState: "found" | "differs" | "retracted" | "not_found" | "not_checked";
  ReferenceReason: "unreadable" | "no_entry" | "outside_catalogs" | "catalog_unavailable";
  ReferenceRecord: { title: string; authors: string[]; years: number[]; venue: string | null; doi: string | null; arxivId: string | null; url: string; source: string };
  ReferenceField: "title" | "author" | "year" | "doi" | "venue";
  ReferenceDifference: { field: Schemas['ReferenceField']; own: string; found: string | null };
  ResearchDepth: "quick" | "standard" | "deep";
  SubQuestion: { id: string; question: string; answeredBy: string; keywords?: string[] };
  ResearchPlan: { questions: Schemas['SubQuestion'][] };
  ResearchSourceKind: "file" | "paper" | "dataset" | "web";
  ResearchSource: { kind: Schemas['ResearchSourceKind']; title: string; authors?: string[]; publishedDate?: string; year?: number; venue?: string; entryType?: string; citationKey?: string; doi?: string; arxivId?: string; url?: string; license?: string; retrievedAt?: string };
  ResearchEvidenceSupports: "yes" | "partly" | "no";
  ResearchEvidence: { id: string; questionId: string; claim: string; quote: string; workspaceId?: string; path: string; startLine: number; endLine: number; page?: number; slide?: number; sheet?: string; rows?: number[]; of?: number; cells?: string; cell?: number; recognized?: boolean; source: Schemas['ResearchSource']; verified: boolean; supports: Schemas['ResearchEvidenceSupports']; contradicts?: string[]; fileHash?: string };
  SentenceState: "plain" | "supported" | "marked";
  ResearchSentence: { text: string; evidence: string[]; state: Schemas['SentenceState']; support?: Schemas['Support']; by?: Schemas['Decider']; findings?: Schemas['Finding'][]; reasons?: string[] };
  ResearchSection: { questionId: string | null; heading: string; paragraphs: Schemas['ResearchSentence'][][] };
  ResearchLooked: { questionId: string; workspaceId?: string; path?: string; title?: string; url?: string; used: boolean; reason?: string };
  ResearchCounts: { sentences: number; supported: number; marked: number; dropped: number; judged?: boolean };
  EvidenceScope: "pilot" | "all" | "new";
  EvidenceRun: { runId: string; status: Schemas['RunStatus']; error: string | null; scope: Schemas['EvidenceScope'] };
  EvidenceEstimate: { calls: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  EvidenceUsage: { ended: string | null; calls: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  EvidenceCounts: { rows: number; cells: number; found: number; notStated: number; disputed: number; failed: number; waiting: number; corrected: number; look: number };
  EvidenceState: "found" | "not_stated" | "disputed" | "failed";
  EvidenceCorrection: { by: string; at: string };
  DatasetSource: "hub_a" | "hub_b" | "local";
  DatasetStatus: "pending" | "downloading" | "paused" | "failed" | "cancelled" | "ready";
  DatasetPhase: "queued" | "listing" | "downloading" | "verifying" | "building_manifest" | "computing_stats" | "done";
  DatasetStatsSplit: { numFiles: number; numRows: number | null };
  PaperSource: "preprint_server" | "hub_a" | "semantic_scholar" | "openalex";
  DocumentLookupState: "found" | "retracted" | "not_found" | "not_checked";
  DocumentRecord: { title: string; authors: string[]; year: number | null; doi: string | null; arxivId: string | null; venue: string | null; url: string; source: string };
  CslName: { family?: string; given?: string; suffix?: string; literal?: string };
  CslDate: { "date-parts": number[][] };
  KeptSkillStep: { instruction: string; toolHint?: string };
  KeptSkillParameter: { name: string; label: string; type: Schemas['SkillParameterType']; required: boolean; defaultValue?: string | number | boolean; options?: string[]; placeholder?: string };
  ScheduledTaskLastRunStatus: "success" | "error" | "running" | "skipped";
  TaskRunTrigger: "schedule" | "manual";
  TaskRunStatus: "waiting" | "running" | "success" | "error" | "skipped";
  TaskRunWorkspaces: { total: number; done: number; failed: number };
  ShownSourceSettings: { userId?: number; userName?: string; groupId?: number | null; url?: string; user?: string; endpoint?: string; region?: string; bucket?: string; prefix?: string; accessKeyId?: string };
  SourceTrigger: "manual" | "schedule";
  SourceRunStatus: "waiting" | "running" | "success" | "error" | "stopped";
  SourceCounts: { added: number; updated: number; moved: number; trashed: number; conflicts: number; skipped: number; failed: number };
  SourceLastRun: { id: string; dryRun: boolean; trigger: Schemas['SourceTrigger']; status: Schemas['SourceRunStatus']; startedAt: string; finishedAt: string | null; error: string | null; requests: number; done: number; total: number | null; counts: Schemas['SourceCounts'] };
  SourceAction: "add" | "update" | "move" | "trash" | "conflict" | "skip" | "fail";
  SourceReason: "changed_here" | "deleted_here" | "path_taken" | "kind" | "missing" | "size" | "quota" | "checksum" | "unreachable" | "write";
  SourceFileChange: { path: string; action: Schemas['SourceAction']; reason?: Schemas['SourceReason']; beside?: string };
  ActivityKind: "file_written" | "file_uploaded" | "file_moved" | "file_deleted" | "directory_made" | "sync" | "note_created" | "note_changed" | "note_deleted" | "chat" | "agent_run" | "command" | "job_submitted" | "dataset_linked" | "git_cloned" | "git_pulled" | "git_committed" | "git_branch_switched" | "git_discarded" | "git_pushed" | "report" | "citations_broken" | "citations_moved";
  UsageRow: { key: string; name?: string; inputTokens: number; outputTokens: number; embeddedTokens: number; calls: number; commandSeconds: number; costUsd: number | null; unpricedTokens: number; estimatedTokens: number };
  UsageSums: { inputTokens: number; outputTokens: number; embeddedTokens: number; calls: number; commandSeconds: number; costUsd: number | null; unpricedTokens: number; estimatedTokens: number };
  BudgetScope: "service" | "workspace" | "caller";
  BudgetUsed: { tokens: number; costUsd: number; unpricedModels: string[] };
  AuditEntryOutcome: "begun" | "done" | "refused" | "failed";
  MemoryScope: "person" | "workspace";
  SkippedReportReason: "no_activities" | "exists";
  GitFileStatus: "added" | "modified" | "deleted" | "untracked" | "conflicted";
  RepositoryStatusModified: { path: string; status: Schemas['GitFileStatus']; staged: boolean; unstaged: boolean };
  ClusterNode: { name: string; ready: boolean; roles: string; cpu: string; memory: string; gpu: string };
  ClusterJob: { name: string; namespace: string; active: number; succeeded: number; failed: number };
  ClusterPod: { name: string; namespace: string; phase: string; nodeName: string; gpu: string };
  ClusterOperationStatus: "success" | "error" | "blocked" | "denied";
  ProviderId: "a" | "b" | "c";
  WindowSource: "settings" | "server" | "refusal" | "cut" | "list";
  ContextWindow: { contextTokens: number; from: Schemas['WindowSource'] };
  ProviderState: { configured: boolean; baseUrl: string | null };
  SettingsProviders: { a: Schemas['ProviderState']; b: Schemas['ProviderState']; c: Schemas['ProviderState'] };
  SettingsEmbedding: { configured: boolean; model: string | null };
  SemanticSearch: "on" | "off";
  ServiceJudgeSource: "environment" | "settings";
  SettingSource: "env" | "settings";
  SettingsHubAToken: { configured: boolean; source: Schemas['SettingSource'] | null };
  SettingsCodeHostToken: { configured: boolean };
  BotConnection: "webhook" | "websocket";
  SettingsBotsIma: { enabled: boolean; connection?: Schemas['BotConnection']; missing: string[] };
  SettingsBotsImb: { enabled: boolean; connection?: Schemas['BotConnection']; missing: string[] };
  SettingsBots: { ima: Schemas['SettingsBotsIma']; imb: Schemas['SettingsBotsImb'] };
  SettingsCluster: { configured: boolean };
  SettingsListPrices: { asOf: string; models: Record<string, Schemas['ModelPrice']> };
  WebSearchSource: "env" | "settings";
  ConnectionSource: "environment" | "settings" | "none";
  TestCode: "ai_sdk_version_unsupported" | "always_not_allowed" | "answer_in_progress" | "answer_interrupted" | "answer_not_found" | "approval_answered" | "approval_expired" | "approval_input_changed" | "approval_not_found" | "approval_not_shown" | "approval_required" | "approval_unclear" | "attachment_not_found" | "attachment_too_large" | "attachment_unknown" | "attachment_unreadable" | "attachment_unsupported" | "attachments_quota_used_up" | "backup_refused" | "body_timeout" | "body_too_complex" | "body_too_large" | "body_unreadable" | "bot_not_configured" | "broken_citation_not_found" | "budget_used_up" | "callback_not_verified" | "changed_since_read" | "chat_platform_answer_unusable" | "chat_platform_credential_refused" | "chat_platform_rate_limited" | "chat_platform_refused" | "chat_platform_unreachable" | "cluster_answer_too_large" | "cluster_failed" | "cluster_kind_not_found" | "cluster_metrics_not_found" | "cluster_not_configured" | "cluster_object_conflict" | "cluster_object_not_found" | "cluster_operation_blocked" | "cluster_partly_applied" | "cluster_permission_denied" | "cluster_request_invalid" | "cluster_request_too_large" | "cluster_unreachable" | "command_sandbox_missing" | "command_stopped" | "commands_busy" | "commands_failed" | "commands_not_configured" | "commands_workspace_too_large" | "concurrent_changes" | "conflict" | "content_type_unsupported" | "conversation_changed" | "conversation_full" | "conversation_id_shared" | "conversation_kind_mismatch" | "conversation_not_found" | "dataset_access_denied" | "dataset_file_failed" | "dataset_files_missing" | "dataset_link_not_found" | "dataset_link_refused" | "dataset_name_taken" | "dataset_no_match" | "dataset_not_found" | "dataset_preview_failed" | "dataset_read_only" | "dataset_repository_unusable" | "dataset_split_not_found" | "dataset_too_many_files" | "dataset_wrong_state" | "directory_not_empty" | "disk_full" | "document_not_found" | "download_failed" | "draft_check_not_found" | "draft_check_not_ready" | "draft_empty" | "draft_export_unsupported" | "draft_sentence_not_found" | "draft_sentence_without_quotes" | "draft_too_large" | "edit_text_ambiguous" | "edit_text_not_found" | "evidence_table_not_found" | "evidence_table_running" | "field_repeated" | "file_binary" | "file_damaged" | "file_encrypted" | "file_format_unsupported" | "file_has_no_text" | "file_not_utf8" | "file_system_denied" | "file_system_read_only" | "file_too_large" | "file_too_large_to_read" | "forbidden" | "function_failed" | "git_branch_exists" | "git_branch_missing" | "git_branch_not_found" | "git_changed_meanwhile" | "git_conflicts" | "git_diverged" | "git_host_failed" | "git_host_unreachable" | "git_local_changes" | "git_merge_in_progress" | "git_no_changes" | "git_nothing_staged" | "git_push_not_configured" | "git_push_rejected" | "git_repository_missing" | "git_repository_not_found" | "git_repository_too_large" | "git_repository_unusable" | "git_timeout" | "git_untracked_kept" | "git_upstream_missing" | "host_unreachable" | "hub_access_denied" | "hub_answer_unusable" | "hub_failed" | "hub_file_not_found" | "hub_repository_not_found" | "hub_revision_not_found" | "hub_type_unsupported" | "hub_unreachable" | "idempotency_answer_lost" | "idempotency_key_reused" | "index_empty" | "indexed_text_not_found" | "install_refused" | "internal_error" | "invalid_credential" | "invalid_cursor" | "invalid_path" | "invalid_pattern" | "invalid_range" | "invalid_url" | "invalid_value" | "is_a_directory" | "issuer_unreachable" | "kubeconfig_invalid" | "manifest_invalid" | "mcp_headers_missing" | "mcp_headers_too_large" | "mcp_server_exists" | "mcp_server_failed" | "mcp_server_not_found" | "mcp_tool_failed" | "media_type_unsupported" | "members_lockout" | "memory_not_found" | "message_too_long" | "message_unknown" | "message_unsupported" | "method_not_allowed" | "metrics_not_configured" | "missing_value" | "model_address_refused" | "model_answer_unusable" | "model_certificate_refused" | "model_content_refused" | "model_credential_refused" | "model_failed" | "model_interrupted" | "model_loading" | "model_not_configured" | "model_not_found" | "model_overloaded" | "model_quota_used_up" | "model_rate_limited" | "model_request_refused" | "model_roles_refused" | "model_set_in_environment" | "model_timeout" | "model_tools_refused" | "model_unreachable" | "model_url_wrong" | "model_window_exceeded" | "not_a_directory" | "not_a_file" | "not_acceptable" | "not_configured" | "not_found" | "note_not_found" | "note_too_large" | "nothing_running" | "nothing_to_approve" | "object_storage_failed" | "ocr_unavailable" | "offboarding_in_progress" | "offboarding_not_found" | "origin_refused" | "owner_only" | "paper_has_no_text" | "paper_host_not_allowed" | "paper_not_found" | "paper_not_open_access" | "paper_source_failed" | "papers_not_configured" | "parent_not_a_directory" | "path_exists" | "path_in_use" | "path_not_found" | "path_on_other_file_system" | "path_outside_roots" | "path_outside_workspace" | "person_active" | "person_gone" | "person_not_found" | "plan_denied" | "plan_not_waiting" | "provenance_not_found" | "rate_limited" | "recording_too_large" | "recording_unreadable" | "repair_not_found" | "report_budget_used_up" | "report_in_progress" | "report_not_found" | "report_not_ready" | "request_broken_off" | "request_head_too_large" | "request_in_progress" | "request_timeout" | "response_too_large" | "rights_lost" | "role_required" | "role_unknown" | "root_in_use" | "root_not_found" | "root_refused" | "roots_locked" | "roots_set_in_environment" | "route_not_found" | "rule_conflict" | "rule_not_offered" | "rule_pattern_invalid" | "rules_locked" | "run_already_started" | "run_ended" | "run_in_progress" | "run_interrupted" | "run_message_delivered" | "run_message_not_found" | "run_messages_full" | "run_not_found" | "run_over" | "run_takes_no_messages" | "run_timeout" | "sandbox_unavailable" | "server_busy" | "skill_built_in" | "skill_disabled" | "skill_file_invalid" | "skill_not_found" | "skill_params_invalid" | "skill_slug_taken" | "skill_too_large" | "source_access_denied" | "source_exists" | "source_failed" | "source_key_missing" | "source_not_found" | "source_too_large" | "source_unreachable" | "source_user_differs" | "speech_not_configured" | "task_already_running" | "task_not_found" | "terminal_needs_one_host" | "terminal_package_missing" | "terminal_session_not_found" | "text_search_not_configured" | "token_ended" | "token_exceeds_caller" | "token_not_found" | "token_rotated_often" | "tokens_not_configured" | "too_large" | "too_many_draft_checks" | "too_many_mcp_servers" | "too_many_memories" | "too_many_reports" | "too_many_rules" | "too_many_sources" | "too_many_terminals" | "too_many_webhooks" | "tool_not_found" | "tool_unknown" | "unknown_field" | "unsupported_parameter" | "upload_closed" | "upload_incomplete" | "upload_link_invalid" | "upload_not_found" | "upstream_failed" | "url_not_public" | "usage_range_too_large" | "voice_message_empty" | "web_page_failed" | "web_search_answer_unusable" | "web_search_failed" | "web_search_key_refused" | "web_search_not_configured" | "web_search_rate_limited" | "web_search_timeout" | "webhook_disabled" | "webhook_not_found" | "workspace_access_denied" | "workspace_mismatch" | "workspace_not_found" | "workspace_overlap" | "workspace_root_protected" | "workspace_scoped_token" | "workspace_unsafe";
  ModelKind: "chat" | "embedding" | "other";
  LocalServerKind: "ollama" | "lm-studio" | "llama-cpp" | "vllm" | "other";
  LocalModelServersServer: { kind: Schemas['LocalServerKind']; baseUrl: string; models: Schemas['KindedModel'][] };
  RootSource: "environment" | "command" | "settings";
  WebhookEventType: "run.finished" | "run.approval_required" | "task.failed" | "sync.failed" | "citation.broken" | "budget.reached";
  WebhookDisabledReason: "by_administrator" | "gone" | "failing";
  WebhookDeliveryType: "run.finished" | "run.approval_required" | "task.failed" | "sync.failed" | "citation.broken" | "budget.reached" | "webhook.test";
  WebhookDeliveryState: "waiting" | "delivered" | "failed" | "dropped";
  Role: "monitor" | "viewer" | "member" | "admin";
  PersonKind: "token" | "user" | "chat";
  PersonState: "active" | "expired" | "revoked";
  HoldingTask: { id: string; name: string };
  OffboardingAction: "hand-over" | "erase";
  OwnedKind: "conversations" | "tasks" | "workspaces";
  OffboardingDone: { conversations: number; tasks: number; workspaces: number };
  OffboardingLeft: { conversations: number; tasks: number; workspaces: number };
  RemoteToolAction: "allow" | "ask" | "deny" | "depends";
  JsonRpcVersion: "2.0";
  JsonRpcErrorDetail: { code: number; message: string };
  JsonRpcError: { jsonrpc: Schemas['JsonRpcVersion']; error: Schemas['JsonRpcErrorDetail'] };
  StorageRoot: { path: string; totalBytes: number; freeBytes: number };
  StorageFileSystem: { id: string; state: string; sizeBytes: number; throughputMode: string };
  DataUsePartName: "records" | "queue" | "index" | "versions" | "attachments" | "datasets" | "workspaces" | "undo" | "temporary" | "reserve" | "other";
  DataUsePart: { name: Schemas['DataUsePartName']; bytes: number };
  FolderState: "free" | "workspace" | "inside" | "around";
  BearerMethod: "header";
  WorkspaceExtra: "state";
  FileForm: "file" | "indexed";
  ChatRole: "system" | "user" | "assistant";
  MessageApproval: { id: string; approved?: boolean; reason?: string };
  MessagePart: { type: string; text?: string; url?: string; mediaType?: string; filename?: string; toolCallId?: string; state?: string; input?: unknown; output?: unknown; errorText?: string; approval?: Schemas['MessageApproval'] };
  ChatMessage: { id?: string; role: Schemas['ChatRole']; content?: string; parts?: Schemas['MessagePart'][] };
  ChatTrigger: "submit-message" | "regenerate-message";
  CitationToCheck: { index: number; path: string; startLine?: number; quote: string; fileHash?: string };
  OpenaiImageUrl: { url: string };
  OpenaiSentFile: { file_data?: string | null; filename?: string | null };
  OpenaiContentPart: { type: string; text?: string; image_url?: (string | Schemas['OpenaiImageUrl']) | null; file?: Schemas['OpenaiSentFile']; file_data?: string | null; filename?: string | null };
  OpenaiSentMessage: { role: string; content?: (string | Schemas['OpenaiContentPart'][]) | null };
  OpenaiCompletionStreamOptions: { include_usage?: boolean | null };
  OpenaiCompletionRequest: { model: string; messages: Schemas['OpenaiSentMessage'][]; stream?: boolean | null; stream_options?: Schemas['OpenaiCompletionStreamOptions'] | null; max_tokens?: number | null; max_completion_tokens?: number | null; filter?: Schemas['SearchFilter'] | null };
  OpenaiInputItem: { type?: string; role?: string; content?: (string | Schemas['OpenaiContentPart'][]) | null };
  OpenaiResponseStreamOptions: Record<string, unknown>;
  OpenaiResponseRequest: { model: string; input: string | Schemas['OpenaiInputItem'][]; instructions?: string | null; stream?: boolean | null; stream_options?: Schemas['OpenaiResponseStreamOptions'] | null; store?: boolean | null; previous_response_id?: string | null; max_output_tokens?: number | null; filter?: Schemas['SearchFilter'] | null };
  ApprovalScope: "once" | "run" | "always";
  DraftAttachment: { url: string; filename?: string; mediaType?: string };
  ResearchSourceName: "files" | "datasets" | "papers" | "web";
  SearchKeyword: string;
  ChangedSubQuestion: { question: string; answeredBy?: string; keywords?: Schemas['SearchKeyword'][] };
  EvidenceResumeScope: "pilot" | "all";
  UsageGroup: "day" | "caller" | "workspace" | "model" | "kind";
  BudgetInput: { scope: Schemas['BudgetScope']; id?: string; monthlyUsd?: number; monthlyTokens?: number; used?: unknown; resetsAt?: unknown; warning?: unknown; name?: unknown };
  GeneratedNoteType: "summary" | "faq" | "brief" | "timeline" | "memory" | "daily_report" | "weekly_report";
  FeishuChallenge: { challenge: string };
  FeishuToastType: "info";
  FeishuToastText: { type: Schemas['FeishuToastType']; content: string };
  FeishuToast: { toast: Schemas['FeishuToastText'] };
  FeishuTaken: { ok: boolean };
}

export interface paths {
  "/api/workspaces": {
    get: { parameters: { query?: { limit?: number; cursor?: string; with?: Schemas['WorkspaceExtra'] } }; responses: { 200: { content: { "application/json": Schemas['ListedWorkspace'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { path: string; name?: string; ask?: "changes" | "commands" | "never"; create?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Workspace'] } }; 201: { content: { "application/json": Schemas['Workspace'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/example": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { language?: Schemas['ExampleLanguage'] } } }; responses: { 200: { content: { "application/json": Schemas['ExampleWorkspace'] } }; 201: { content: { "application/json": Schemas['ExampleWorkspace'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceDetail'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    patch: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": { name: string } } }; responses: { 200: { content: { "application/json": Schemas['Workspace'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/settings": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceSettings'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": { citationJudge: Schemas['CitationJudge'] | null } } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceSettings'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/permissions": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Permissions'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['PutPermissions'] } }; responses: { 200: { content: { "application/json": Schemas['Permissions'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/members": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Members'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['Members'] } }; responses: { 200: { content: { "application/json": Schemas['Members'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/browse": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; path?: string; hidden?: "true" | "false" } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/read": {
    get: { parameters: { query: { workspaceId: string; path: string; as?: Schemas['FileForm'] } }; responses: { 200: { content: { "application/json": Schemas['FileContent'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/provenance": {
    get: { parameters: { query: { workspaceId: string; path: string } }; responses: { 200: { content: { "application/json": Schemas['FileProvenance'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/raw": {
    get: { parameters: { query: { workspaceId: string; path: string } }; responses: { 200: { content: { "*/*": string } }; 206: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/write": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string; content: string; expectedHash?: string | null } } }; responses: { 200: { content: { "application/json": Schemas['WrittenFile'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/upload": {
    post: { parameters: {  }; requestBody: { content: { "multipart/form-data": string } }; responses: { 201: { content: { "application/json": Schemas['WrittenFile'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/delete": {
    delete: { parameters: { query?: { workspaceId?: string; path?: string } }; requestBody: { content: { "application/json": { workspaceId: string; path: string } } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/rename": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; oldPath: string; newPath: string; overwrite?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/mkdir": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string } } }; responses: { 200: { content: { "application/json": Schemas['DirectoryEntry'] } }; 201: { content: { "application/json": Schemas['DirectoryEntry'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/uploads": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; path: string; size: number } } }; responses: { 201: { content: { "application/json": Schemas['StartedUpload'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/uploads/{uploadId}": {
    get: { parameters: { path: { uploadId: string } }; responses: { 200: { content: { "application/json": Schemas['UploadStatus'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/files/uploads/{uploadId}/parts": {
    post: { parameters: { path: { uploadId: string } }; responses: { 200: { content: { "application/json": Schemas['UploadParts'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/sync": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['IndexState'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { workspaceId: string } }; responses: { 202: { content: { "application/json": { syncId: string } } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/files": {
    get: { parameters: { query: { limit?: number; cursor?: string; state: Schemas['FileState'] }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['ListedFile'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/documents/{path}": {
    get: { parameters: { path: { workspaceId: string; path: string } }; responses: { 200: { content: { "application/json": Schemas['Document'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    patch: { parameters: { path: { workspaceId: string; path: string } }; requestBody: { content: { "application/json": Schemas['DocumentCorrection'] } }; responses: { 200: { content: { "application/json": Schemas['Document'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/system/reindex": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Reindex'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; responses: { 202: { content: { "application/json": Schemas['Reindex'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/chat": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId?: string; workspaceIds?: string[]; messages: Schemas['ChatMessage'][]; provider?: Schemas['ProviderId']; model?: string; id?: string; trigger?: Schemas['ChatTrigger']; messageId?: string | null; parentId?: string | null; paths?: string[]; filter?: Schemas['SearchFilter']; web?: boolean; judge?: boolean } } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/chat/{conversationId}/stream": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/event-stream": string } }; 204: { content?: never }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/chat/{conversationId}/stop": {
    post: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['Conversation'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/search": {
    get: { parameters: { query: { q: string; k?: number; cursor?: string; paths?: string; types?: string; filter?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['FoundPassage'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/search": {
    get: { parameters: { query: { q: string; k?: number; cursor?: string; types?: string; filter?: string; workspaceIds: string } }; responses: { 200: { content: { "application/json": Schemas['FoundPassage'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/broken-citations": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['BrokenCitation'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/broken-citations/{brokenCitationId}/repair": {
    post: { parameters: { path: { workspaceId: string; brokenCitationId: string } }; responses: { 200: { content: { "application/json": Schemas['RepairedCitation'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/citations": {
    get: { parameters: { query: { path: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['CitationCount'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/citations/check": {
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": { citations: Schemas['CitationToCheck'][]; noteId?: string } } }; responses: { 200: { content: { "application/json": Schemas['CitationNow'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/openai/v1/models": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['OpenaiModels'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/openai/v1/chat/completions": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['OpenaiCompletionRequest'] } }; responses: { 200: { content: { "application/json": Schemas['OpenaiCompletion']; "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/openai/v1/responses": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['OpenaiResponseRequest'] } }; responses: { 200: { content: { "application/json": Schemas['OpenaiResponse']; "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; q?: string } }; responses: { 200: { content: { "application/json": Schemas['Conversation'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}": {
    get: { parameters: { query?: { branches?: "chosen" | "all" }; path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['ConversationWithMessages'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { conversationId: string } }; requestBody: { content: { "application/json": { title?: string; pinned?: boolean; shared?: boolean; leafId?: string } } }; responses: { 200: { content: { "application/json": Schemas['Conversation'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}/stream": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}/attachments/{hash}": {
    get: { parameters: { path: { conversationId: string; hash: string } }; responses: { 200: { content: { "application/octet-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}/export": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/markdown": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people/export": {
    get: { parameters: { query: { personId: string; cursor?: string } }; responses: { 200: { content: { "application/x-ndjson": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}/feedback": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "application/json": Schemas['OwnFeedback'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/conversations/{conversationId}/messages/{messageId}/feedback": {
    put: { parameters: { path: { conversationId: string; messageId: string } }; requestBody: { content: { "application/json": { rating: Schemas['Rating']; reasons?: Schemas['FeedbackReason'][]; comment?: string } } }; responses: { 200: { content: { "application/json": Schemas['OwnFeedback'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { conversationId: string; messageId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/feedback": {
    get: { parameters: { query?: { limit?: number; cursor?: string; rating?: Schemas['Rating'] } }; responses: { 200: { content: { "application/json": Schemas['Feedback'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/feedback/export": {
    get: { parameters: { query?: { limit?: number; cursor?: string; rating?: Schemas['Rating']; format?: "beir" } }; responses: { 200: { content: { "application/zip": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { messages: Schemas['ChatMessage'][]; workspaceId: string; cwd: string; mode?: Schemas['AgentMode']; skillId?: string; paramValues?: Record<string, string | number | boolean>; provider?: Schemas['ProviderId']; model?: string; id?: string; trigger?: string; messageId?: string | null; parentId?: string | null; judge?: boolean } } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; status?: Schemas['RunStatus']; kind?: Schemas['RunKind'] } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/stream": {
    get: { parameters: { query?: { after?: number }; path: { runId: string } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/{conversationId}/stream": {
    get: { parameters: { path: { conversationId: string } }; responses: { 200: { content: { "text/event-stream": string } }; 204: { content?: never }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/stop": {
    post: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/calls/{toolCallId}/stop": {
    post: { parameters: { path: { runId: string; toolCallId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/messages": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['AgentRunMessage'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { text: string } } }; responses: { 202: { content: { "application/json": Schemas['AgentRunMessage'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/messages/{messageId}": {
    delete: { parameters: { path: { runId: string; messageId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/changes": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['RunChanges'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/undo": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { paths?: string[]; force?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['RunChanges'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/runs/{runId}/approvals/{approvalId}": {
    post: { parameters: { path: { runId: string; approvalId: string } }; requestBody: { content: { "application/json": { approved: boolean; reason?: string; scope?: Schemas['ApprovalScope']; always?: string } } }; responses: { 200: { content: { "application/json": Schemas['AgentRun'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/agent/summarize": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; messages: Schemas['ChatMessage'][]; trigger?: string; preview?: boolean; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['Summary'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/verify": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId?: string; workspaceIds?: string[]; text?: string; path?: string; attachment?: Schemas['DraftAttachment']; partOf?: string; without?: string[]; filter?: Schemas['SearchFilter']; shared?: boolean; references?: boolean; judge?: boolean; budget?: Schemas['ResearchBudget'] } } }; responses: { 202: { content: { "application/json": Schemas['StartedDraftCheck'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/verify/{runId}": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['DraftCheck'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/verify/{runId}/export": {
    get: { parameters: { query?: { format?: "md" | "docx" | "json" }; path: { runId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/verify/{runId}/sentences/{n}/suggestion": {
    post: { parameters: { path: { runId: string; n: number } }; responses: { 200: { content: { "application/json": Schemas['SuggestedCorrection'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research": {
    get: { parameters: { query: { workspaceId: string; sources?: string } }; responses: { 200: { content: { "application/json": Schemas['ResearchDepthOption'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId?: string; workspaceIds?: string[]; question: string; sources?: Schemas['ResearchSourceName'][]; filter?: Schemas['SearchFilter']; addresses?: string[]; depth?: Schemas['ResearchDepth']; budget?: Schemas['ResearchBudget']; language?: string; approvePlan?: boolean } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research/{runId}": {
    get: { parameters: { path: { runId: string } }; responses: { 200: { content: { "application/json": Schemas['Research'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research/{runId}/export": {
    get: { parameters: { query?: { format?: "md" | "html" | "docx" | "bibtex" | "csl" | "zip" }; path: { runId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research/{runId}/plan": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { questions?: Schemas['ChangedSubQuestion'][]; approved?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Research'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research/{runId}/continue": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { question: string; budget?: Schemas['ResearchBudget'] } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/research/{runId}/refresh": {
    post: { parameters: { path: { runId: string } }; requestBody: { content: { "application/json": { budget?: Schemas['ResearchBudget'] } } }; responses: { 202: { content: { "application/json": Schemas['ResearchStarted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['EvidenceTableSummary'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; name: string; rows: Schemas['EvidenceRows']; columns: Schemas['EvidenceColumnInput'][]; pilot?: number; followNew?: boolean; budget?: Schemas['ResearchBudget'] } } }; responses: { 202: { content: { "application/json": Schemas['StartedEvidenceTable'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables/columns": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; question: string } } }; responses: { 200: { content: { "application/json": Schemas['SuggestedEvidenceColumns'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables/{tableId}": {
    get: { parameters: { query?: { limit?: number; cursor?: string; look?: string }; path: { tableId: string } }; responses: { 200: { content: { "application/json": Schemas['EvidenceTable'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    patch: { parameters: { path: { tableId: string } }; requestBody: { content: { "application/json": Schemas['EvidenceTableChange'] } }; responses: { 200: { content: { "application/json": Schemas['EvidenceTable'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { tableId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables/{tableId}/export": {
    get: { parameters: { query?: { format?: "csv" | "xlsx" | "md" | "docx" }; path: { tableId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables/{tableId}/resume": {
    post: { parameters: { path: { tableId: string } }; requestBody: { content: { "application/json": { scope?: Schemas['EvidenceResumeScope']; budget?: Schemas['ResearchBudget'] } } }; responses: { 202: { content: { "application/json": Schemas['StartedEvidenceTable'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/evidence-tables/{tableId}/stop": {
    post: { parameters: { path: { tableId: string } }; responses: { 200: { content: { "application/json": Schemas['EvidenceTableSummary'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/exec": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { command: string; cwd: string } } }; responses: { 200: { content: { "application/json": Schemas['CommandResult'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; cwd?: string; columns: number; rows: number } } }; responses: { 201: { content: { "application/json": Schemas['TerminalSession'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions/{sessionId}/stream": {
    get: { parameters: { query?: { after?: number }; path: { sessionId: string } }; responses: { 200: { content: { "text/event-stream": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions/{sessionId}/input": {
    post: { parameters: { path: { sessionId: string } }; requestBody: { content: { "application/json": { text: string } } }; responses: { 200: { content: { "application/json": Schemas['TerminalSession'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions/{sessionId}/resize": {
    post: { parameters: { path: { sessionId: string } }; requestBody: { content: { "application/json": { columns: number; rows: number } } }; responses: { 200: { content: { "application/json": Schemas['TerminalSession'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions/{sessionId}/signal": {
    post: { parameters: { path: { sessionId: string } }; requestBody: { content: { "application/json": { signal: "INT" | "TERM" | "KILL"; killAfterMs?: number } } }; responses: { 200: { content: { "application/json": Schemas['TerminalSession'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/terminal/sessions/{sessionId}": {
    delete: { parameters: { path: { sessionId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets": {
    get: { parameters: { query?: { limit?: number; cursor?: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateDataset'] } }; responses: { 201: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/import-local": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['ImportLocalDataset'] } }; responses: { 201: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/repo-info": {
    get: { parameters: { query: { repoId: string; repoType?: Schemas['RepoType'] } }; responses: { 200: { content: { "application/json": Schemas['RepoInfo'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/modelscope-info": {
    get: { parameters: { query: { repoId: string; repoType?: Schemas['RepoType'] } }; responses: { 200: { content: { "application/json": Schemas['RepoInfo'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { query?: { deleteFiles?: "true" | "false" }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/status": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['DatasetProgress'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/pause": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/cancel": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/retry": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/refresh": {
    post: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Dataset'] } }; 202: { content: { "application/json": Schemas['Dataset'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/preview": {
    get: { parameters: { query?: { split?: string; n?: number; offset?: number }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['DatasetPreview'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/datasets/{datasetId}/workspaces": {
    get: { parameters: { path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['LinkedWorkspace'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { datasetId: string } }; requestBody: { content: { "application/json": { workspaceId: string } } }; responses: { 200: { content: { "application/json": Schemas['LinkedWorkspace'] } }; 201: { content: { "application/json": Schemas['LinkedWorkspace'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { query: { workspaceId: string }; path: { datasetId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/paper-study/search": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['SearchPapers'] } }; responses: { 200: { content: { "application/json": Schemas['FoundPapers'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/papers": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['KeptPaper'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['KeepPaper'] } }; responses: { 200: { content: { "application/json": Schemas['KeptPaper'] } }; 201: { content: { "application/json": Schemas['KeptPaper'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/bibliography": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['BibliographyEntry'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/documents/{path}/lookup": {
    post: { parameters: { path: { workspaceId: string; path: string } }; requestBody: { content: { "application/json": Schemas['DocumentLookupRequest'] } }; responses: { 200: { content: { "application/json": Schemas['DocumentLookup'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/references": {
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['CiteRequest'] } }; responses: { 200: { content: { "application/json": Schemas['CitedDocument'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/skills": {
    get: { parameters: { query?: { limit?: number; cursor?: string; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Skill'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateSkill'] } }; responses: { 201: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/skills/import": {
    post: { parameters: { query?: { workspaceId?: string } }; requestBody: { content: { "application/json": Schemas['ImportSkill']; "text/markdown": string; "application/zip": string } }; responses: { 201: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/skills/{skillId}": {
    get: { parameters: { path: { skillId: string } }; responses: { 200: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { skillId: string } }; requestBody: { content: { "application/json": { name?: string; slug?: string; description?: string; systemPrompt?: string; steps?: Schemas['SkillStep'][]; allowedTools?: Schemas['ToolName'][] | null; parameters?: Schemas['SkillParameter'][]; isEnabled?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Skill'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { skillId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/skills/{skillId}/export": {
    get: { parameters: { query?: { format?: "markdown" | "json" }; path: { skillId: string } }; responses: { 200: { content: { "*/*": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/scheduled-tasks": {
    get: { parameters: { query?: { limit?: number; cursor?: string; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": Schemas['CreateTask'] } }; responses: { 201: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/scheduled-tasks/{taskId}": {
    get: { parameters: { path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { taskId: string } }; requestBody: { content: { "application/json": { name?: string; taskType?: Schemas['TaskType']; schedule?: string; timezone?: string; workspaceId?: string | null; config?: Record<string, unknown> | null; isEnabled?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['ScheduledTask'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/scheduled-tasks/{taskId}/runs": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { taskId: string } }; responses: { 200: { content: { "application/json": Schemas['TaskRun'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/scheduled-tasks/{taskId}/run": {
    post: { parameters: { path: { taskId: string } }; responses: { 202: { content: { "application/json": { runId: string } } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/sources": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Source'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['CreateSource'] } }; responses: { 201: { content: { "application/json": Schemas['Source'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/sources/{sourceId}": {
    get: { parameters: { path: { workspaceId: string; sourceId: string } }; responses: { 200: { content: { "application/json": Schemas['Source'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    patch: { parameters: { path: { workspaceId: string; sourceId: string } }; requestBody: { content: { "application/json": Schemas['ChangeSource'] } }; responses: { 200: { content: { "application/json": Schemas['Source'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { query?: { keepFiles?: "true" | "false" }; path: { workspaceId: string; sourceId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/sources/{sourceId}/sync": {
    post: { parameters: { query?: { dryRun?: "true" | "false" }; path: { workspaceId: string; sourceId: string } }; responses: { 202: { content: { "application/json": Schemas['SourceRun'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/sources/{sourceId}/runs": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string; sourceId: string } }; responses: { 200: { content: { "application/json": Schemas['SourceRun'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/activity": {
    get: { parameters: { query?: { limit?: number; cursor?: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Activity'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/usage": {
    get: { parameters: { query?: { from?: string; to?: string; groupBy?: Schemas['UsageGroup'] } }; responses: { 200: { content: { "application/json": Schemas['Usage'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/budgets": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Budget'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: {  }; requestBody: { content: { "application/json": Schemas['BudgetInput'][] } }; responses: { 200: { content: { "application/json": Schemas['Budget'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/audit": {
    get: { parameters: { query?: { limit?: number; cursor?: string; from?: string; to?: string; actor?: string; action?: string } }; responses: { 200: { content: { "application/json": Schemas['AuditEntry'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/audit/export": {
    get: { parameters: { query?: { limit?: number; cursor?: string; from?: string; to?: string; actor?: string; action?: string } }; responses: { 200: { content: { "text/csv": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/notes": {
    get: { parameters: { query: { limit?: number; cursor?: string; workspaceId: string; type?: Schemas['NoteType']; q?: string } }; responses: { 200: { content: { "application/json": Schemas['Note'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; title: string; content?: string } } }; responses: { 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/notes/{noteId}": {
    get: { parameters: { path: { noteId: string } }; responses: { 200: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: { path: { noteId: string } }; requestBody: { content: { "application/json": { title?: string; content?: string; ifUpdatedAt?: string } } }; responses: { 200: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { noteId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/memories": {
    get: { parameters: { query: { scope: Schemas['MemoryScope']; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Memory'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { query: { scope: Schemas['MemoryScope']; workspaceId?: string } }; requestBody: { content: { "application/json": { text: string; shared?: boolean } } }; responses: { 201: { content: { "application/json": Schemas['Memory'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/memories/{memoryId}": {
    patch: { parameters: { path: { memoryId: string } }; requestBody: { content: { "application/json": { text?: string; shared?: boolean; ifUpdatedAt?: string } } }; responses: { 200: { content: { "application/json": Schemas['Memory'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { memoryId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/generate": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; type: Schemas['GeneratedNoteType']; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/daily-report": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; date?: string; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/weekly-report": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; locale?: string } } }; responses: { 200: { content: { "application/json": Schemas['SkippedReport'] } }; 201: { content: { "application/json": Schemas['Note'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/clone": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { url: string; rootPath: string; ask?: "changes" | "commands" | "never" } } }; responses: { 201: { content: { "application/json": Schemas['Workspace'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/pull": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string } } }; responses: { 200: { content: { "application/json": Schemas['Pulled'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/status": {
    get: { parameters: { query: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['RepositoryStatus'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/diff": {
    get: { parameters: { query: { workspaceId: string; path: string; staged?: "true" | "false" } }; responses: { 200: { content: { "application/json": Schemas['FileDiff'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/log": {
    get: { parameters: { query: { workspaceId: string; limit?: number; cursor?: string } }; responses: { 200: { content: { "application/json": Schemas['CommitLog'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/stage": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; paths: string[] } } }; responses: { 200: { content: { "application/json": Schemas['ChangedFiles'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/unstage": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; paths: string[] } } }; responses: { 200: { content: { "application/json": Schemas['ChangedFiles'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/discard": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; paths: string[]; untracked?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['ChangedFiles'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/commit": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; message: string } } }; responses: { 201: { content: { "application/json": Schemas['Committed'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/commit-message": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string } } }; responses: { 200: { content: { "application/json": Schemas['DraftedCommitMessage'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/branch": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; name: string; create?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['SwitchedBranch'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/git/push": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { workspaceId: string; confirm: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Committed'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/cluster/status": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ClusterStatus'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/cluster/operations": {
    get: { parameters: { query?: { workspaceId?: string; limit?: number; offset?: number } }; responses: { 200: { content: { "application/json": { operations: Schemas['ClusterOperation'][]; total: number; limit: number; offset: number } } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/models": {
    get: { parameters: { query?: { provider?: Schemas['ProviderId'] } }; responses: { 200: { content: { "application/json": Schemas['Models'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Settings'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    put: { parameters: {  }; requestBody: { content: { "application/json": { llmProvider?: Schemas['ProviderId'] | null; llmModel?: string | null; contextTokens?: number | null; hubAToken?: string | null; reportTimezone?: string | null; citationJudge?: Schemas['CitationJudge'] | null; semanticSearch?: Schemas['SemanticSearch'] | null; webSearch?: Schemas['WebSearchChange'] | null; prices?: Record<string, Schemas['ModelPrice']> | null } } }; responses: { 200: { content: { "application/json": Schemas['UpdatedSettings'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/models": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ModelConnections'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/models/{provider}": {
    put: { parameters: { path: { provider: Schemas['ProviderId'] } }; requestBody: { content: { "application/json": { apiKey?: string | null; baseUrl?: string | null; model?: string; contextTokens?: number | null; embeddingModel?: string | null } } }; responses: { 200: { content: { "application/json": Schemas['ModelConnections'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { provider: Schemas['ProviderId'] } }; responses: { 200: { content: { "application/json": Schemas['ModelConnections'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/models/{provider}/test": {
    post: { parameters: { path: { provider: Schemas['ProviderId'] } }; requestBody: { content: { "application/json": { apiKey?: string | null; baseUrl?: string | null; model?: string } } }; responses: { 200: { content: { "application/json": Schemas['TestedModelConnection'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/models/{provider}/check": {
    post: { parameters: { path: { provider: Schemas['ProviderId'] } }; requestBody: { content: { "application/json": { model: string } } }; responses: { 200: { content: { "application/json": Schemas['ModelCapabilities'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/local-models": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['LocalModelServers'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/settings/roots": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['WorkspaceRoots'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { path: string } } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceRoots'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { query: { path: string } }; responses: { 200: { content: { "application/json": Schemas['WorkspaceRoots'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/webhooks": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Webhook'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { url: string; name: string; events?: Schemas['WebhookEventType'][] } } }; responses: { 201: { content: { "application/json": Schemas['WebhookWithSecret'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/webhooks/{webhookId}": {
    patch: { parameters: { path: { webhookId: string } }; requestBody: { content: { "application/json": { url?: string; name?: string; events?: Schemas['WebhookEventType'][]; isEnabled?: boolean } } }; responses: { 200: { content: { "application/json": Schemas['Webhook'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { webhookId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/webhooks/{webhookId}/rotate": {
    post: { parameters: { path: { webhookId: string } }; responses: { 200: { content: { "application/json": Schemas['WebhookWithSecret'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/webhooks/{webhookId}/test": {
    post: { parameters: { path: { webhookId: string } }; responses: { 202: { content: { "application/json": Schemas['WebhookTest'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/webhooks/{webhookId}/deliveries": {
    get: { parameters: { path: { webhookId: string } }; responses: { 200: { content: { "application/json": Schemas['WebhookDelivery'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/me": {
    get: { parameters: { query?: { workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Me'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people": {
    get: { parameters: { query?: { limit?: number; cursor?: string; q?: string; workspaceId?: string } }; responses: { 200: { content: { "application/json": Schemas['Person'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/tokens": {
    get: { parameters: { query?: { limit?: number; cursor?: string } }; responses: { 200: { content: { "application/json": Schemas['Token'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: {  }; requestBody: { content: { "application/json": { name: string; role: Schemas['Role']; workspaceIds?: string[] | null; expiresAt?: string | null } } }; responses: { 201: { content: { "application/json": Schemas['CreatedToken'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/tokens/{tokenId}": {
    patch: { parameters: { path: { tokenId: string } }; requestBody: { content: { "application/json": { name?: string; role?: Schemas['Role']; workspaceIds?: string[] | null; expiresAt?: string | null } } }; responses: { 200: { content: { "application/json": Schemas['Token'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { path: { tokenId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/tokens/{tokenId}/rotate": {
    post: { parameters: { path: { tokenId: string } }; requestBody: { content: { "application/json": { overlapHours?: number; expiresAt?: string | null } } }; responses: { 200: { content: { "application/json": Schemas['CreatedToken'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people/holdings": {
    get: { parameters: { query: { limit?: number; cursor?: string; personId: string } }; responses: { 200: { content: { "application/json": Schemas['Holding'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people/offboarding": {
    get: { parameters: { query: { personId: string } }; responses: { 200: { content: { "application/json": Schemas['Offboarding'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people/hand-over": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { personId: string; to: string; kinds?: Schemas['OwnedKind'][] } } }; responses: { 202: { content: { "application/json": Schemas['Offboarding'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/people/erase": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { personId: string } } }; responses: { 202: { content: { "application/json": Schemas['Offboarding'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/bot/ima": {
    post: { parameters: {  }; requestBody: { content: { "application/json": Record<string, unknown> } }; responses: { 200: { content: { "application/json": Schemas['FeishuChallenge'] | Schemas['FeishuToast'] | Schemas['FeishuTaken'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/bot/ima/push": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { chatId: string; title?: string; content: string; type?: "card" | "text" } } }; responses: { 200: { content: { "application/json": { ok: boolean; messageId?: string } } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/bot/imb": {
    get: { parameters: { query?: { msg_signature?: string; signature?: string; timestamp?: string; nonce?: string; echostr?: string } }; responses: { 200: { content: { "text/plain": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { query?: { msg_signature?: string; signature?: string; timestamp?: string; nonce?: string } }; requestBody: { content: { "text/xml": string } }; responses: { 200: { content: { "text/xml": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/mcp-servers": {
    get: { parameters: { path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['McpServer'][] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    post: { parameters: { path: { workspaceId: string } }; requestBody: { content: { "application/json": Schemas['CreateMcpServer'] } }; responses: { 201: { content: { "application/json": Schemas['McpServer'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
    delete: { parameters: { query: { name: string }; path: { workspaceId: string } }; responses: { 200: { content: { "application/json": Schemas['Deleted'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/workspaces/{workspaceId}/mcp-servers/{name}/tools": {
    get: { parameters: { query?: { fresh?: "true" | "false" }; path: { workspaceId: string; name: string } }; responses: { 200: { content: { "application/json": Schemas['ServerTools'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/mcp": {
    post: { parameters: {  }; requestBody: { content: { "application/json": { jsonrpc: "2.0"; id?: string | number; method: string; params?: Record<string, unknown> } } }; responses: { 200: { content: { "text/event-stream": string } }; 202: { content: { "text/plain": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/health": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": { status: "ok" | "degraded"; disk?: "ok" | "low" | "full"; version: string; aiAvailable: boolean; login?: Schemas['Login'] } } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/metrics": {
    get: { parameters: {  }; responses: { 200: { content: { "text/plain": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/system/network": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['NetworkSpeed'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/system/storage": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['Storage'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/system/folders": {
    get: { parameters: { query?: { path?: string } }; responses: { 200: { content: { "application/json": Schemas['Folders'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/docs/pages": {
    get: { parameters: {  }; responses: { default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/docs/pages/{page}": {
    get: { parameters: { query?: { q?: string }; path: { page: string } }; responses: { 200: { content: { "text/html": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/docs/pages/{folder}/{page}": {
    get: { parameters: { query?: { q?: string }; path: { folder: string; page: string } }; responses: { 200: { content: { "text/html": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/.well-known/oauth-protected-resource": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ProtectedResource'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/.well-known/oauth-protected-resource/api/mcp": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": Schemas['ProtectedResource'] } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/openapi.json": {
    get: { parameters: {  }; responses: { 200: { content: { "application/json": unknown } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/docs": {
    get: { parameters: {  }; responses: { 200: { content: { "text/html": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
  "/api/docs/{asset}": {
    get: { parameters: { path: { asset: string } }; responses: { 200: { content: { "text/javascript": string } }; default: { content: { 'application/json': Schemas['ErrorResponse'] } } } };
  };
}

