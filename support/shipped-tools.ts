import type { ToolSpecification } from '../shared/engine/core/tool-specification.ts'
import { integration as documents } from '../supabase/functions/docs-api/integration.ts'
import { integration as gmail } from '../supabase/functions/gmail-api/integration.ts'
import { integration as schedules } from '../supabase/functions/schedules-api/integration.ts'
import { integration as smtp } from '../supabase/functions/smtp-api/integration.ts'
import { integration as search } from '../supabase/functions/web-search-api/integration.ts'
import { recordingTool } from './agent-scenario.ts'

type Arguments = Record<string, unknown>

/** What a tool answers, by its name; `{}` where nothing is said. */
export type Answers = Readonly<Record<string, (args: Arguments) => unknown>>

/** A function of the application as `askback.offer_function` makes a tool of it. */
const offeredFunction: ToolSpecification = {
  name: 'add_expense',
  title: 'Add expense',
  description: 'Adds a row to the expenses.',
  parameters: {
    type: 'object',
    properties: { what: { type: 'string' }, euros: { type: 'number' } },
    required: ['what', 'euros'],
    additionalProperties: false,
  },
  effect: 'write',
  approval: 'always',
  private: true,
}

/** Every tool of the product with its approval as shipped, and one of an application, without anybody behind them. */
export function shippedTools(answers: Answers = {}) {
  const catalogue = [smtp, gmail, search, documents, schedules].flatMap(({ tools }) => tools)
  const specifications = [...catalogue.map(({ specification }) => specification), offeredFunction]
  return specifications.map((specification) =>
    recordingTool({ ...specification, execute: (args) => answers[specification.name]?.(args) ?? {} }),
  )
}
