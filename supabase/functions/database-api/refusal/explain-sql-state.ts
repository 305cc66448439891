import { prepareToolCall } from '../../../../shared/engine/calls/prepare-tool-call.ts'
import {
  defaultResolver,
  type ToolError,
  type ToolErrorDetails,
  type ToolErrorType,
  toolError,
} from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { findSqlState } from '../../../../shared/engine/failures/tables/sql-states.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import {
  findByColumn,
  findByConstraint,
  findByValue,
  type Named,
  nothing,
  type RefusedCall,
} from './named-arguments.ts'
import { writeSentence } from './sentences.ts'
import type { SqlRefusal } from './sql-refusal.ts'

/**
 * A question about the argument behind the constraint, column or value that PostgreSQL names, based on the schema if
 * possible; else a sentence that explains the error.
 */
export async function explainSqlState(refusal: SqlRefusal, call: RefusedCall): Promise<ToolError> {
  const { tool } = call
  if (refusal.code === '25006') return toolError('execution_error', explainReadOnly(tool))
  const named = await findNamed(refusal, call)
  const type = chooseType(refusal, named)
  const question = askBySchema(type, named, call)
  if (question) return question
  const isMissed = type === 'missing_parameter'
  const sentence = writeSentence({
    type: isMissed ? 'execution_error' : type,
    named,
    tool,
    isStillUsed: isStillUsed(refusal),
  })
  if (isMissed) return toolError('execution_error', sentence)
  // A timeout does not prove that nothing has happened, but PostgreSQL's own does.
  if (type === 'timeout' && tool.effect === 'write') return toolError('unavailable', sentence)
  return toolError(type, sentence, { details: listPlaces(type, named) })
}

function explainReadOnly(tool: ToolSpecification): string {
  const [only, remedy] =
    tool.effect === 'read' ? ['offered as one that only reads', 'offer'] : ['declared as stable', 'declare']
  return `"${titleOf(tool)}" tried to change something, but it was ${only}, so it was stopped. Whoever runs the app has to ${remedy} it as one that writes.`
}

const finders = { column: findByColumn, value: findByValue, constraint: findByConstraint }

/** The arguments that PostgreSQL's message is about; none if the database cannot tell. */
async function findNamed(refusal: SqlRefusal, call: RefusedCall): Promise<Named> {
  const names = findSqlState(refusal.code)?.names
  if (names === undefined) return nothing
  try {
    return await finders[names](refusal, call)
  } catch (cause) {
    writeLog('refusal-not-described', { tool: call.tool.name }, cause)
    return nothing
  }
}

/** Only errors about an argument, or about stored data, are for the model: the rest are faults inside the function. */
function chooseType(refusal: SqlRefusal, { parameters }: Named): ToolErrorType {
  const state = findSqlState(refusal.code)
  if (!state || refusal.code === 'P0002') return state ? 'not_found' : 'execution_error'
  if (isStillUsed(refusal)) return 'conflict'
  const type = 'type' in state.meaning ? state.meaning.type : 'execution_error'
  if (type === 'authentication_error') return 'permission_denied'
  if (defaultResolver[type] !== 'model') return type
  const isAboutTheCall = state.names !== undefined && (parameters.length > 0 || type === 'conflict')
  return isAboutTheCall ? type : 'execution_error'
}

/** The row to delete is still referenced by others. */
function isStillUsed({ code, message }: SqlRefusal): boolean {
  return code === '23001' || (code === '23503' && message.startsWith('update or delete on'))
}

/** The question from the schema, given what the column or its check requires. */
function askBySchema(type: ToolErrorType, named: Named, { tool, args }: RefusedCall): ToolError | undefined {
  const [name] = named.parameters
  if (name === undefined || (type !== 'invalid_value' && type !== 'missing_parameter')) return undefined
  const { parameters } = tool
  const property = parameters.properties?.[name]
  const told = { ...(typeof property === 'object' ? property : {}), ...named.schema }
  const isMissing = type === 'missing_parameter' && (args[name] ?? null) === null
  const prepared = prepareToolCall({
    name: tool.name,
    rawArguments: JSON.stringify({ ...args, ...(isMissing ? { [name]: undefined } : {}) }),
    tools: [
      {
        ...tool,
        parameters: {
          ...parameters,
          properties: { ...parameters.properties, [name]: told },
          required: [...(parameters.required ?? []), ...(isMissing ? [name] : [])],
        },
      },
    ],
  })
  return prepared.ok ? undefined : prepared.error
}

function listPlaces(type: ToolErrorType, { parameters }: Named): ToolErrorDetails {
  const [parameter] = parameters
  if (parameter === undefined || defaultResolver[type] !== 'model') return {}
  const problems = parameters.map((name) => ({ errorType: type, parameter: name }))
  return { parameter, ...(problems.length > 1 ? { problems } : {}) }
}
