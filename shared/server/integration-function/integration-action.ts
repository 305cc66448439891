import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import type { OpenConnection } from '../connections/stored-connection.ts'

/** What an action runs with beside its arguments. */
export interface ActionContext {
  userId: string
  /** Absent for a tool without providers, which needs none. */
  connection?: OpenConnection
  /** Equal for all deliveries of the same effect: hand it on to the provider. */
  idempotencyKey: string
  /** A write calls this before its effect can happen: a question or a failure after it proves nothing any more. */
  effectBegins(): void
}

/** One tool and what it does: an integration function is a list of these. */
export interface IntegrationAction<Args = never> {
  tool: CatalogueTool
  /**
   * Returns the data of a success; a Response is judged by its status and body. Throws Question where it needs another
   * value (before anything has happened), ToolCallError where it knows what the failure means; anything else that it
   * throws is classified, and of a write counts as "it may have happened".
   */
  run(args: Args, context: ActionContext): Promise<unknown>
}
