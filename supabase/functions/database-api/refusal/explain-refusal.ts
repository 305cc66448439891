import { prepareToolCall } from '../../../../shared/engine/calls/prepare-tool-call.ts'
import {
  defaultResolver,
  type ToolError,
  type ToolErrorDetails,
  type ToolErrorType,
  toolError,
} from '../../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../../shared/engine/failures/classify-error.ts'
import { namedParameter } from '../../../../shared/engine/failures/named-parameter.ts'
import { outcomeUnknown } from '../../../../shared/engine/failures/outcome-unknown.ts'
import {
  findSqlState,
  isRaised,
  provesNothingHappened,
} from '../../../../shared/engine/failures/tables/sql-states.ts'
import { withCorrection } from '../../../../shared/engine/tools/open-places.ts'
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
import { readSqlRefusal, type SqlRefusal } from './sql-refusal.ts'

/**
 * What it means that the data API refused a call of an offered function: a question about the argument where one can be
 * found, in words made from the schema; the app's own words where it raised an exception; else a plain sentence. Nothing
 * else that PostgreSQL says is handed on. Undefined when something else than the data API has answered.
 */
export async function explainRefusal(
  response: { status: number; text: string },
  call: RefusedCall,
): Promise<ToolError | undefined> {
  const refusal = readSqlRefusal(response)
  if (!refusal) return undefined
  const isWrite = call.tool.effect === 'write'
  const isOfDataApi = refusal.code.startsWith('PGRST')
  const isCertain = isOfDataApi ? refusal.code !== lostConnection : provesNothingHappened(refusal.code)
  if (isWrite && !isCertain) return outcomeUnknown()
  if (isOfDataApi) return explainDataApi(refusal, call)
  if (isRaised(refusal.code)) return withCorrection(explainRaised(refusal, call), call.tool, call.args)
  const error = await explainSqlState(refusal, call)
  if (error.errorType === 'execution_error') {
    writeLog('offered-function-failed', { tool: call.tool.name, sqlState: refusal.code })
  }
  return withCorrection(error, call.tool, call.args)
}

/** The connection broke while the call ran. */
const lostConnection = 'PGRST001'

/** PostgREST's own codes: all others come before the function runs. https://docs.postgrest.org/en/v14/references/errors.html */
function explainDataApi({ code }: SqlRefusal, { tool }: RefusedCall): ToolError {
  const title = titleOf(tool)
  if (code.startsWith('PGRST0')) {
    return toolError(
      'unavailable',
      `The database of this app cannot be reached right now, so "${title}" was not called.`,
    )
  }
  if (code.startsWith('PGRST3')) {
    return toolError(
      'execution_error',
      'The session of the user has ended, so this was not done. Sign in again first.',
    )
  }
  writeLog('offered-function-unusable', { tool: tool.name, code })
  return toolError(
    'execution_error',
    `"${title}" cannot be called in this app as it was offered, so it was not called. Whoever runs the app has to offer it again.`,
  )
}

/** The words of `raise exception`: its message, and its hint, which may say which argument it is about. */
function explainRaised({ message, hint, status }: SqlRefusal, { tool, args }: RefusedCall): ToolError {
  const called = { parameters: tool.parameters, args }
  const said = [message, hint ?? ''].map((text) => namedParameter(text, called, true))
  const parameter = said.find((name) => name !== undefined)
  return classifyError(
    { message, ...(hint ? { hint } : {}), ...(parameter ? { parameter } : {}) },
    {
      tool,
      args,
      toolName: tool.name,
      effect: tool.effect,
      thrown: false,
      effectBegan: false,
      // Whatever status it chose, the transaction was rolled back.
      httpStatus: status >= 400 && status < 500 ? status : 400,
    },
  )
}

async function explainSqlState(refusal: SqlRefusal, call: RefusedCall): Promise<ToolError> {
  const { tool } = call
  if (refusal.code === '25006') {
    return toolError(
      'execution_error',
      `"${titleOf(tool)}" was offered as a function that only reads, but it tried to change something, so it was stopped. Whoever runs the app has to offer it as one that writes.`,
    )
  }
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
  // Of a time-out nobody could tell that nothing has happened; PostgreSQL's own proves it.
  if (type === 'timeout' && tool.effect === 'write') return toolError('unavailable', sentence)
  return toolError(type, sentence, { details: listPlaces(type, named) })
}

function findNamed(refusal: SqlRefusal, call: RefusedCall): Promise<Named> | Named {
  switch (findSqlState(refusal.code)?.names) {
    case 'column':
      return findByColumn(refusal, call)
    case 'value':
      return findByValue(refusal, call)
    case 'constraint':
      return findByConstraint(refusal, call).catch((cause) => {
        writeLog('constraint-not-described', { tool: call.tool.name }, cause)
        return nothing
      })
    default:
      return nothing
  }
}

/** Only what is about an argument, or about what is stored, is for the model: the rest is a fault inside the function. */
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

/** A row that others refer to is to be deleted. */
function isStillUsed({ code, message }: SqlRefusal): boolean {
  return code === '23001' || (code === '23503' && message.startsWith('update or delete on'))
}

/** The question that the schema asks, once it knows what the column or its check wants. */
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
