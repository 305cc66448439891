/** The public surface of the engine: Web standards only, so it runs on Deno, Node 20+ and in a browser. */
export { compareLibraries } from './compare/compare-libraries.ts'
export { classifyError } from './errors/classify-error.ts'
export { extractToolError } from './errors/extract-tool-error.ts'
export { formatToolError } from './errors/format-tool-error.ts'
export {
  isToolError,
  type Resolver,
  ToolCallError,
  type ToolError,
  type ToolErrorType,
  type ToolResult,
  toolError,
} from './errors/tool-error.ts'
export { AgentError } from './loop/agent-error.ts'
export type {
  Agent,
  AgentContext,
  AgentEvent,
  AgentResponse,
  Limits,
  Pending,
  RunStatus,
  ToolUse,
} from './loop/agent-response.ts'
export { argumentHash } from './loop/canonical-json.ts'
export type { Claim, Invocation, InvocationStatus, Ledger } from './loop/ledger.ts'
export { createMemoryLedger } from './loop/memory-ledger.ts'
export { resumeAgent } from './loop/resume-agent.ts'
export { runAgent } from './loop/run-agent.ts'
export type {
  Answer,
  Approval,
  PriorWrite,
  ResumeAgentOptions,
  RunAgentOptions,
} from './loop/run-options.ts'
export {
  createModelClient,
  type ModelClientOptions,
  type ModelEndpoint,
} from './models/create-model-client.ts'
export {
  type ChatMessage,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
} from './models/model-client.ts'
export { createModelFromSettings, type ModelPreference, type ModelSettings } from './models/model-settings.ts'
export { prepareToolCall } from './prepare/prepare-tool-call.ts'
export type { CallToPrepare, PreparedCall, Repair, Slots } from './prepare/prepared-call.ts'
export { checkProvenance } from './provenance/check-provenance.ts'
export { exampleFor } from './schema/example-for.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export { type DescribedProblem, validate } from './schema/validate.ts'
export { bindTools } from './tools/bind-tools.ts'
export { defineTool } from './tools/define-tool.ts'
export { createToolLibrary } from './tools/tool-library.ts'
export type { ExecuteContext, Tool, ToolLibrary, ToolSpecification } from './tools/tool-specification.ts'
