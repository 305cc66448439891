/** What an integration of one's own is made from; the functions of a project import it as `_askback/integration.js`. */
import type { Integration } from './integrations/definition/integration.ts'
import type { Environment } from './server/authentication/project-settings.ts'
import type { Implementation } from './server/integration-function/integration-action.ts'
import { createFunctionApp } from './server/integration-function/integration-app.ts'

export type { Change, Compare, Look, Seen } from './engine/core/seen.ts'
export { Changed, Question, ToolCallError, type ToolError, toolError } from './engine/core/tool-error.ts'
export type { ToolSpecification, Verification } from './engine/core/tool-specification.ts'
export {
  type CatalogueTool,
  type Integration,
  type IntegrationProvider,
  integrationTool,
  toJsonSchema,
} from './integrations/definition/integration.ts'
export { askJson } from './integrations/network/ask-json.ts'
export type { Environment } from './server/authentication/project-settings.ts'
export type { ConnectionHandle, OpenConnection } from './server/connections/stored-connection.ts'
export type {
  ActionContext,
  Implementation,
  IntegrationAction,
  LookContext,
  VerifyContext,
} from './server/integration-function/integration-action.ts'
export type { FieldWords, IntegrationWords, ProviderWords, ToolWords } from './words/tool-words.ts'

/** The handler of an integration's function, for `Deno.serve`. Throws an Error that names a missing variable. */
export function createIntegrationHandler(
  integration: Integration,
  createActions: (env: Environment) => Implementation,
  env: Environment,
): (request: Request) => Response | Promise<Response> {
  return createFunctionApp(integration, createActions, env).fetch
}
