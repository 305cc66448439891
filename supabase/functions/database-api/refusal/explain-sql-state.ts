import { prepareToolCall } from '../../../../shared/engine/calls/prepare-tool-call.ts'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import {
  defaultResolver,
  saidError,
  type ToolError,
  type ToolErrorDetails,
  type ToolErrorType,
} from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { findSqlState } from '../../../../shared/engine/failures/tables/sql-states.ts'
import { toolValues } from '../../../../shared/engine/wording/question-values.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import {
  findByColumn,
  findByConstraint,
  findByValue,
  type Named,
  nothing,
  type RefusedCall,
} from './named-arguments.ts'
import { sayRefused } from './sentences.ts'
import type { SqlRefusal } from './sql-refusal.ts'

/**
 * A question about the argument behind the constraint, column or value that PostgreSQL names, based on the schema if
 * possible; else a sentence that explains the error.
 */
export async function explainSqlState(refusal: SqlRefusal, call: RefusedCall): Promise<ToolError> {
  const { tool, args } = call
  if (refusal.code === '25006') return saidError('execution_error', readOnly(tool))
  const named = await findNamed(refusal, call)
  const type = chooseType(refusal, named)
  const question = askBySchema(type, named, call)
  if (question) return question
  const isMissed = type === 'missing_parameter'
  const said = sayRefused({
    type: isMissed ? 'execution_error' : type,
    named,
    tool,
    args,
    isStillUsed: isStillUsed(refusal),
  })
  if (isMissed) return saidError('execution_error', said)
  // A timeout does not prove that nothing has happened, but PostgreSQL's own does.
  if (type === 'timeout' && tool.effect === 'write') return saidError('unavailable', said)
  return saidError(type, said, { details: listPlaces(type, named) })
}

function readOnly(tool: ToolSpecification): Said {
  const values = { ...toolValues(tool), isWrite: tool.effect === 'write' }
  return { code: 'app_function_writes', values }
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
  const described = { ...(typeof property === 'object' ? property : {}), ...named.schema }
  const isMissing = type === 'missing_parameter' && (args[name] ?? null) === null
  const prepared = prepareToolCall({
    name: tool.name,
    rawArguments: JSON.stringify({ ...args, ...(isMissing ? { [name]: undefined } : {}) }),
    tools: [
      {
        ...tool,
        parameters: {
          ...parameters,
          properties: { ...parameters.properties, [name]: described },
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
  return {
    parameter,
    problems: problems.length > 1 ? problems : undefined,
    // People are asked, and a model can look.
    hint: type === 'not_found' ? 'Please use a tool that lists or searches to find it.' : undefined,
  }
}
