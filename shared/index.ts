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
