import { canonicalJson } from '../core/canonical-json.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { ServerQuestion, ServerReply, ServerRequest, ServerResponse } from '../core/server-question.ts'
import { withoutNothing } from '../core/without-nothing.ts'
import { validate } from '../schema/validate.ts'
import type { Call, DecisionEntry, QuestionEntry } from './entry.ts'

type Responses = ServerReply['responses']
type Values = Record<string, unknown>

/** One form for all that a server asks: where there are several requests, their number is before the name of a field. */
export function serverForm({ requests }: ServerQuestion): JsonSchema {
  const named = requests.flatMap((request) => fieldsOf(requests, request))
  const required = requests.flatMap((request) =>
    fieldsOf(requests, request).filter(({ name }) => request.form?.required?.includes(name)),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ path, field }) => [path, field])),
    required: required.map(({ path }) => path),
  }
}

/** The fields of one request, each with its name in the form. */
export function fieldsOf(
  requests: readonly ServerRequest[],
  request: ServerRequest,
): { name: string; path: string; field: JsonSchema | boolean }[] {
  const before = requests.length === 1 ? '' : `${requests.indexOf(request) + 1}.`
  return Object.entries(request.form?.properties ?? {}).map(([name, field]) => ({
    name,
    path: before + name,
    field,
  }))
}

/** What the server gets for the values of that form. */
export function acceptAll({ requests }: ServerQuestion, values: Values): Responses {
  return respond(requests, (request): ServerResponse => {
    if (!request.form) return { action: 'accept' }
    const given = fieldsOf(requests, request).filter(({ path }) => values[path] !== undefined)
    return {
      action: 'accept',
      content: Object.fromEntries(given.map(({ name, path }) => [name, values[path]])),
    }
  })
}

/** What it gets if the user does not want to answer. */
function declineAll({ requests }: ServerQuestion): Responses {
  return respond(requests, () => ({ action: 'decline' }))
}

function respond(
  requests: readonly ServerRequest[],
  answer: (request: ServerRequest) => ServerResponse,
): Responses {
  return Object.fromEntries(requests.map((request) => [request.key, answer(request)]))
}

/** The title of the first field that an answer does not fill in as its form wants it; undefined if all fit. */
export function unfitField({ requests }: ServerQuestion, responses: Responses = {}): string | undefined {
  for (const { key, form } of requests) {
    const [fault] = form ? validate(form, responses[key]?.content ?? {}) : []
    if (!fault) continue
    const name = Object.keys(form?.properties ?? {}).find(
      (one) => fault.parameter === one || fault.parameter.startsWith(`${one}[`),
    )
    const field = name === undefined ? undefined : form?.properties?.[name]
    return (typeof field === 'object' && field.title) || fault.parameter
  }
  return undefined
}

/**
 * What goes to the server of a call with its next attempt: what has been decided about its question, or was decided before the
 * same call had to wait for something else.
 */
export function replyFor({
  call,
  decided,
}: {
  call: Pick<Call, 'toolName' | 'input'>
  decided?: { decision: DecisionEntry; question: QuestionEntry } | undefined
}): ServerReply | undefined {
  if (!decided) return undefined
  const { decision, question } = decided
  const isSame =
    question.toolName === call.toolName && canonicalJson(question.arguments) === canonicalJson(call.input)
  if (!isSame) return undefined
  if (!question.server) return question.reply
  return {
    responses: decision.reply ?? declineAll(question.server),
    ...withoutNothing({ state: question.state }),
  }
}
