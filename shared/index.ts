/** The public surface of the engine: Web standards only, so it runs on Deno, Node 20+ and in a browser. */
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
export { exampleFor } from './schema/example-for.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export { type DescribedProblem, validate } from './schema/validate.ts'
export { bindTools } from './tools/bind-tools.ts'
export { defineTool } from './tools/define-tool.ts'
export { createToolLibrary } from './tools/tool-library.ts'
export type { ExecuteContext, Tool, ToolLibrary, ToolSpecification } from './tools/tool-specification.ts'
