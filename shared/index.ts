/** The public API of the engine: Web standards only, so it runs on Deno, Node 20+ and in a browser. */

export { prepareToolCall } from './engine/calls/prepare-tool-call.ts'
export type { CallToPrepare, PreparedCall } from './engine/calls/prepared-call.ts'
export type { Slots } from './engine/calls/repair/resolve-slots.ts'
export { compareLibraries } from './engine/compare/compare-libraries.ts'
export { AgentError } from './engine/core/agent-error.ts'
export { argumentHash } from './engine/core/canonical-json.ts'
export type { JsonSchema } from './engine/core/json-schema.ts'
export type { Repair } from './engine/core/repair.ts'
export { type Change, changesBetween, type Look, type Seen } from './engine/core/seen.ts'
export {
  Changed,
  isToolError,
  Question,
  type Resolver,
  ToolCallError,
  type ToolError,
  type ToolErrorLike,
  type ToolErrorType,
  type ToolResult,
  toolError,
} from './engine/core/tool-error.ts'
export type {
  ExecuteContext,
  LookContext,
  Tool,
  ToolLibrary,
  ToolSpecification,
} from './engine/core/tool-specification.ts'
export type { Write } from './engine/core/write.ts'
export { classifyError } from './engine/failures/classify-error.ts'
export { extractToolError } from './engine/failures/extract-tool-error.ts'
export { resumeAgent } from './engine/loop/resume-agent.ts'
export { invokeTool } from './engine/loop/round/invoke-tool.ts'
export type { AgentEvent, AgentResponse, Delta, Limits } from './engine/loop/run/agent-response.ts'
export type {
  Claim,
  EarlierWrite,
  Invocation,
  InvocationStatus,
  Ledger,
} from './engine/loop/run/ledger.ts'
export { createMemoryLedger } from './engine/loop/run/memory-ledger.ts'
export type {
  Approval,
  FormAnswer,
  ItemReference,
  ResumeAgentOptions,
  RunAgentOptions,
} from './engine/loop/run/run-options.ts'
export { runAgent } from './engine/loop/run-agent.ts'
export { streamAgent } from './engine/loop/stream-agent.ts'
export {
  createModelClient,
  type ModelClientOptions,
  type ModelEndpoint,
} from './engine/models/create-model-client.ts'
export {
  createModelFromSettings,
  type ModelPreference,
  type ModelSettings,
} from './engine/models/model-settings.ts'
export {
  type ChatMessage,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
} from './engine/models/protocol/model-client.ts'
export { checkProvenance } from './engine/provenance/check-provenance.ts'
export { type DescribedProblem, validate } from './engine/schema/validate.ts'
export type { Agent, AgentContext } from './engine/tools/agent.ts'
export { bindTools } from './engine/tools/bind-tools.ts'
export { defineTool } from './engine/tools/define-tool.ts'
export { createToolLibrary } from './engine/tools/tool-library.ts'
export { type Pending, projectAnswer, type RunUsage, type ToolUse } from './engine/transcript/answer.ts'
export type {
  Entry,
  PriorWrite,
  QuestionEntry as OpenItem,
  RunStatus,
  UserPart,
} from './engine/transcript/entry.ts'
export { projectMessages, projectModelMessages } from './engine/transcript/model-messages.ts'
export { openItems } from './engine/transcript/open-items.ts'
export { exampleFor } from './engine/wording/example-for.ts'
export { formatToolError } from './engine/wording/format-tool-error.ts'
