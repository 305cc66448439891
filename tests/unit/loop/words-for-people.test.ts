import { describe, expect, test } from 'vitest'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { Tool } from '../../../shared/engine/core/tool-specification.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { questionForPeople } from '../../../shared/engine/wording/question-for-people.ts'
import { missingCredentialsKey } from '../../../shared/server/credentials/missing-key.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, fail, type ModelServerReply, say } from '../../../support/model-server.ts'

const pattern = '^[A-Z]{3}-\\d{4}$'
const note = { rcpt_addr_list: ['ada@example.com'], note_txt: 'At ten.', ref_code: 'ABC-1234' }

/** A tool whose names nobody would say. */
function noteTool(more: Partial<Parameters<typeof recordingTool>[0]> = {}) {
  return recordingTool({
    name: 'crm_send_note',
    title: 'Send note',
    parameters: {
      type: 'object',
      properties: {
        rcpt_addr_list: {
          type: 'array',
          items: { type: 'string', format: 'email' },
          title: 'recipients',
          question: 'Who gets the note?',
          minItems: 1,
        },
        note_txt: { type: 'string', description: 'What the note says.' },
        ref_code: { type: 'string', pattern, title: 'reference' },
        src_url: { type: 'string', format: 'uri', title: 'source' },
        is_dry_run: { type: 'boolean', description: 'Whether to only try it' },
        opts_obj: { type: 'object', properties: { max_len: { type: 'integer', maximum: 9 } } },
      },
      required: ['rcpt_addr_list', 'note_txt', 'ref_code'],
      additionalProperties: false,
    },
    ...more,
  })
}
const readTool = (more: Partial<Parameters<typeof recordingTool>[0]> = {}) =>
  noteTool({ name: 'crm_find_note', title: 'Find note', effect: 'read', ...more })

const throwing = (cause: () => unknown) => ({
  execute: () => {
    throw cause()
  },
})
const answering = (status: number, body: unknown) => ({
  execute: () => new Response(JSON.stringify(body), { status }),
})
const always = (name: string, args: unknown) => (): ModelServerReply => callTool(name, args)
const insisting = (name: string, args: unknown, last: ModelServerReply) => {
  const script = ({ body }: { body: { tool_choice?: unknown } }) =>
    body.tool_choice === 'none' ? last : callTool(name, args)
  return script as () => ModelServerReply
}
const send = 'crm_send_note'
const find = 'crm_find_note'

/** How runs end with people being asked or told, in words of ours. */
const runs: [string, Tool[], (() => ModelServerReply) | ModelServerReply[]][] = [
  ['a model that invents tools', [noteTool()], insisting('crm_zap_everything', {}, say(''))],
  ['a tool that is close to one', [noteTool()], insisting('crm_sent_notes', { x: 1 }, say(''))],
  ['a call without a name', [noteTool()], insisting('', {}, say(''))],
  [
    'a wrong parameter name',
    [noteTool()],
    [callTool(send, { note_txt: 'Hi', to_whom_it: 'Ada' }), say('Who?')],
  ],
  ['a parameter too many', [noteTool()], insisting(send, { ...note, zz_extra: 1 }, say(''))],
  ['nothing at all', [noteTool()], [callTool(send, {}), say('What?')]],
  ['a pattern', [noteTool()], always(send, { ...note, ref_code: 'nope' })],
  ['no URL', [noteTool()], always(send, { ...note, src_url: 'htp:/x y' })],
  ['a URL that cannot be seen', [noteTool()], always(send, { ...note, src_url: '\u200b' })],
  ['an empty URL', [noteTool()], always(send, { ...note, src_url: '' })],
  ['no address', [noteTool()], always(send, { ...note, rcpt_addr_list: ['ada'] })],
  ['an empty list', [noteTool()], always(send, { ...note, rcpt_addr_list: [] })],
  ['a flag that is none', [noteTool()], always(send, { ...note, is_dry_run: 'perhaps' })],
  ['a member that is too large', [noteTool()], always(send, { ...note, opts_obj: { max_len: 99 } })],
  ['arguments that cannot be read', [noteTool()], insisting(send, '{"note_txt": "At t', say(''))],
  ['arguments of another kind', [noteTool()], insisting(send, '[1, 2]', say(''))],
  ['a slot sent back', [noteTool()], always(send, { ...note, note_txt: '<note text>' })],
  ['an approval', [noteTool({ approval: 'always' })], always(send, note)],
  ['an unknown outcome', [noteTool(throwing(() => new Error('socket hang up')))], always(send, note)],
  ['a server error after a write', [noteTool(answering(502, { error: 'Bad Gateway' }))], always(send, note)],
  [
    'two writes that got lost',
    [noteTool(answering(500, ''))],
    [
      callTools([
        [send, note],
        [send, { ...note, note_txt: 'B' }],
      ]),
    ],
  ],
  [
    'a 422 that names a parameter',
    [
      noteTool(
        answering(422, { detail: [{ loc: ['body', 'ref_code'], msg: 'unknown', type: 'value_error' }] }),
      ),
    ],
    always(send, note),
  ],
  [
    'a 400 about a parameter',
    [readTool(answering(400, { error: { message: 'ref_code is invalid', param: 'ref_code' } }))],
    always(find, note),
  ],
  ['a 404', [readTool(answering(404, { error: 'not found' }))], insisting(find, note, say(''))],
  ['a 401', [noteTool({ ...answering(401, {}), providers: ['crm'] })], always(send, note)],
  ['a 403', [noteTool(answering(403, {}))], insisting(send, note, say(''))],
  [
    'a 429 for an hour',
    [readTool({ execute: () => new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }) })],
    always(find, note),
  ],
  ['a 503', [readTool(answering(503, {}))], insisting(find, note, say(''))],
  [
    'axios',
    [readTool(throwing(() => new Error('Request failed with status code 418')))],
    insisting(find, note, say('')),
  ],
  [
    'a server without its key',
    [noteTool(throwing(() => new ToolCallError(missingCredentialsKey())))],
    insisting(send, note, say('')),
  ],
  ['a model that says nothing', [noteTool()], () => say('')],
  ['a model that goes down', [readTool()], [callTool(find, note), fail(500), fail(500), fail(500)]],
  ['a model that refuses the key', [readTool()], [callTool(find, note), fail(401)]],
]

const said = ({ text, pending = [], toolsUsed }: AgentResponse) => [
  text,
  ...toolsUsed.map(({ error }) => error && questionForPeople(error)),
  ...pending.flatMap(({ title, asked, hint, alsoNeeded, question, confirm, button }) => [
    title,
    asked,
    hint,
    ...(alsoNeeded ?? []),
    question,
    confirm,
    button,
  ]),
]

/** Names of programs, settings, patterns, statuses, and what is left where a value was not shown. */
const unfit =
  /crm_|rcpt_addr|note_txt|ref_code|src_url|is_dry_run|opts_obj|max_len|zz_extra|to_whom_it|\b[A-Z]{2,}(?:_[A-Z]+)+\b|\^\[|\\d|\bHTTP\b|\bstatus\b|\b[45]\d\d\b|""|"\u200b"|\(s\)|tool_not_found|undefined|\[object/

describe('no name that programs use reaches people', () => {
  test.each(runs)('%s', async (_, tools, script) => {
    await using scenario = await startScenario({ stream: false, tools, script })
    const response = await scenario.run()
    expect(response.text).not.toBe('')
    for (const words of said(response)) if (words !== undefined) expect(words).not.toMatch(unfit)
    for (const { code, asked } of response.pending ?? []) expect([code, asked]).not.toContain('')
  })
})
