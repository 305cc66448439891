import { askedInEnglish, sentenceOf } from '../../../../shared/engine/core/asked.ts'
import { formatPath } from '../../../../shared/engine/core/json-path.ts'
import { saidError, type ToolError } from '../../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../../shared/engine/failures/classify-error.ts'
import { placeNamedIn } from '../../../../shared/engine/failures/named-parameter.ts'
import { outcomeUnknown } from '../../../../shared/engine/failures/outcome-unknown.ts'
import { isRaised, provesNothingHappened } from '../../../../shared/engine/failures/tables/sql-states.ts'
import { withCorrection } from '../../../../shared/engine/tools/open-places.ts'
import { toolValues } from '../../../../shared/engine/wording/question-values.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { explainSqlState } from './explain-sql-state.ts'
import type { RefusedCall } from './named-arguments.ts'
import { isOfTheApp } from './raised-message.ts'
import { readSqlRefusal, type SqlRefusal } from './sql-refusal.ts'

/**
 * Explains why the data API refused a call of an offered function: a question about the argument if one can be found,
 * worded from the schema; the app's own words if it raised an exception; else a plain sentence. Nothing else that
 * PostgreSQL says is passed on. Undefined if something other than the data API has answered.
 */
export async function explainRefusal(
  response: { status: number; text: string },
  call: RefusedCall,
): Promise<ToolError | undefined> {
  const refusal = readSqlRefusal(response)
  if (!refusal) return undefined
  const isWrite = call.tool.effect === 'write'
  const isOfDataApi = refusal.code.startsWith('PGRST')
  const isCertain = isOfDataApi ? !comesAfter.test(refusal.code) : provesNothingHappened(refusal.code)
  if (isWrite && !isCertain) return outcomeUnknown()
  if (isOfDataApi) return explainDataApi(refusal, call)
  if (isRaised(refusal.code) || (await isOfTheApp(refusal, call.rpc))) {
    return withCorrection(asForPeople(explainRaised(refusal, call)), call.tool, call.args)
  }
  const error = asForPeople(await explainSqlState(refusal, call))
  if (error.errorType === 'execution_error') {
    writeLog('offered-function-failed', { tool: call.tool.name, sqlState: refusal.code })
  }
  return withCorrection(error, call.tool, call.args)
}

/**
 * Of what a function of the app says, the chat passes on one sentence, to the model and to people: the one for people,
 * who know an argument by its label. The model has its name beside it. A value that does not fit has a sentence for each.
 */
function asForPeople(error: ToolError): ToolError {
  const { asked, parameter } = error.details
  return asked && parameter !== undefined && asked.code !== 'value_unfit'
    ? { ...error, error: `Question: ${sentenceOf(askedInEnglish(asked))}` }
    : error
}

/** The connection broke while the call ran, or the function ran and its status or headers could not be used. */
const comesAfter = /^PGRST(?:001|111|112)$/

/** PostgREST's own codes: all others come before the function runs. https://docs.postgrest.org/en/v14/references/errors.html */
function explainDataApi({ code }: SqlRefusal, { tool }: RefusedCall): ToolError {
  const values = toolValues(tool)
  if (code.startsWith('PGRST0')) return saidError('unavailable', { code: 'app_database_away', values })
  if (code.startsWith('PGRST3')) return saidError('execution_error', { code: 'session_ended' })
  writeLog('offered-function-unusable', { tool: tool.name, code })
  return saidError('execution_error', { code: 'app_function_outdated', values })
}

/** The message of `raise exception` and its hint, which may say which argument it is about. */
function explainRaised({ code, message, hint, status }: SqlRefusal, { tool, args }: RefusedCall): ToolError {
  const called = { parameters: tool.parameters, args }
  const said = [message, hint ?? ''].map((text) => placeNamedIn(text, called, true))
  const place = said.find((one) => one !== undefined)
  return classifyError(
    { message, hint: hint || undefined, parameter: place && formatPath(place.path) },
    {
      tool,
      args,
      toolName: tool.name,
      effect: tool.effect,
      thrown: false,
      effectBegan: false,
      // Whatever status it chose, the transaction was rolled back. For PostgreSQL's own codes PostgREST chooses it.
      httpStatus: isRaised(code) && status >= 400 && status < 500 ? status : 400,
    },
  )
}
