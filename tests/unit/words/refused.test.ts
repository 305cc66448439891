import { afterEach, describe, expect, it } from 'vitest'
import { formalGerman } from '../../../shared/words/formal-german/formal-german.ts'
import type { Language } from '../../../shared/words/language.ts'
import { languageFor, overrule } from '../../../shared/words/languages/languages.ts'
import type { None } from '../../../shared/words/refuse.ts'
import type { Refusals } from '../../../shared/words/refused/refused.ts'
import type { Unfit } from '../../../shared/words/refused/unfit.ts'
import { sayRefusal } from '../../../shared/words/say.ts'

/** Values of each code; of one with several sentences, those of each. */
type Samples = {
  [Code in keyof Refusals]: Refusals[Code] extends { why: infer Why extends string }
    ? { [One in Why]: Omit<Extract<Refusals[Code], { why: One }>, 'why'> }
    : readonly Refusals[Code][]
}

const none: [None] = [{}]
const unfit: Unfit[] = [
  { path: 'id', given: 7, expected: { kind: 'id' } },
  { path: '', given: [], expected: { kind: 'object' } },
  { path: 'limit', given: undefined, expected: { kind: 'whole', least: 1, most: 9, example: 2 } },
  { path: 'model', given: 'x'.repeat(101), expected: { kind: 'valid' }, words: { instead: 'Send another.' } },
  { path: 'per', given: {}, expected: { kind: 'choice', choices: ['day', 'hour'] } },
]
const asked = {
  code: 'key_refused',
  values: { provider: 'Serper' },
  text: 'Serper does not accept your API key.',
}
const busy = { said: { code: 'model_unavailable', values: { why: 'busy' } } }
const choice = { model: 'openai/gpt-4.1', choices: ['openai/gpt-4.1-mini'] }

const words = 'It cannot be offered.'
const fn = { words, function: 'public.f' }

const samples: Samples = {
  bad_request: {
    unfit: unfit[0] as Unfit,
    engine: { words: 'The input is empty.' },
    two_conversations: { body: { id: 'a', conversationId: 'b' } },
    token_in_past: { given: '2020-01-31T12:00:00Z' },
    connection_unchanged: {},
    conversation_unchanged: {},
    item_unnamed: {},
    denial_remembered: {},
    link_lasts_too_long: {},
    nothing_decided: {},
    nothing_to_regenerate: {},
    no_messages: {},
    last_id_unfit: {},
    message_id_too_long: {},
    parts_missing: {},
    part_without_type: {},
    part_without_text: {},
    part_without_url: {},
    no_subject: { scope: 'agent', subject: 'a1' },
    not_whole: { value: 1.5 },
    not_measurable: { scope: 'user', measure: 'money', per: undefined },
    no_provider: { known: [] },
    completion_unfit: {},
    model_missing: {},
    messages_missing: {},
    too_many_given: { count: 9, most: 8 },
    message_unfit: {},
    no_user_message: {},
    ends_with_tool: {},
    content_unfit: {},
    part_unread: { type: 'input_audio' },
    part_without_content: { type: 'file' },
    chat_name_too_long: { header: 'x-askback-conversation', length: 300, most: 200 },
    several_answers: { given: '2' },
    tools_of_client: { name: 'tool_choice' },
    audio: { name: 'audio' },
    answer_format: { type: '"json_schema"' },
    token_limit_unfit: { name: 'max_tokens', given: '0' },
  },
  bad_conversation_id: unfit,
  body_incomplete: none,
  body_timeout: none,
  invalid_json: { empty: {}, other: {} },
  nested_too_deeply: [{ levels: 100 }],
  message_too_large: none,
  message_id_taken: none,
  newer_messages: none,
  no_message: none,
  empty_message: none,
  too_many_messages: none,
  unknown_path: [
    { method: 'POST', path: '/embeddings' },
    { method: 'POST', path: '/responses' },
  ],
  not_found: [
    { method: 'GET', path: '/x' },
    { method: 'GET', path: '/x', instead: 'POST /x' },
  ],
  unknown_action: [{ action: 'send', known: ['read'] }],
  unknown_tool: { named: { tool: 'x' }, of_provider: { provider: 'Gmail', tool: 'x', tools: ['y'] } },
  idempotency_key_reused: none,
  body_too_large: [{ mebibytes: 8 }],
  too_many_large_bodies: none,

  empty_file: [{ file: 'a.txt' }],
  wrong_media_type: [
    { file: 'a.pdf', declared: 'application/pdf' },
    { file: 'a.png', declared: 'image/png' },
  ],
  file_not_found: { attached: {}, deleted: {} },
  file_too_large: [{ file: 'a.txt', mebibytes: 5 }],
  files_too_large: [{ mebibytes: 5 }],
  too_many_files: [{ most: 5, count: 6 }],
  too_much_stored: [{ mebibytes: 100 }],
  unreadable_file: { content: { file: 'a.txt' }, no_content: {}, pdf: {} },
  too_many_documents: { shown: {}, read: {} },
  link_expired: { file: {}, item: {}, revoked: {} },
  link_not_valid: { file: {}, item: {} },
  link_not_possible: {
    connection: {},
    wait: {},
    approvers: {},
    destructive: {},
    unknown: {},
    too_many: { most: 20 },
  },
  link_not_found: none,
  storage_unavailable: none,

  rate_limited: {
    files: {},
    streams: {},
    links: {},
    runs_at_once: { limit: 5 },
    runs: { limit: 1000, per: 'hour' },
    mcp_calls: { limit: 60, per: 'minute' },
    budget: { said: { code: 'wait_budget_reserved', values: { canWait: false } } },
    other: { limit: 5 },
  },
  limit_reached: {
    files: {},
    tokens: { limit: 20 },
    grants: { limit: 200 },
    servers: { limit: 20 },
    connections: { limit: 20 },
    permissions: { limit: 2000 },
    conversations: { limit: 2000 },
    other: { limit: 5 },
  },

  unauthorized: {
    no_token: {},
    no_jwt: {},
    signed_otherwise: {},
    token_expired: {},
    wrong_audience: {},
    token_not_valid: {},
    no_user: {},
    session: {},
    tickets_off: {},
    ticket_not_valid: {},
    ticket_incomplete: {},
    ticket_for_other: {},
    clock_unsigned: { header: 'x-askback-clock' },
    clock_old: { header: 'x-askback-clock' },
  },
  foreign_issuer: { none: {}, other: { issuer: '"https://a"', accepted: ['https://b', 'https://c'] } },
  foreign_client: [{ client: '"abc"' }],
  client_not_allowed: [
    { client: '"abc"', page: 'https://app.example.com/connect#client=abc' },
    { client: '"abc"', page: undefined },
  ],
  invalid_api_key: { unknown: {}, revoked: {}, expired: {}, foreign: {}, other_scope: { scope: 'mcp' } },
  unknown_user: none,
  account_disabled: none,
  anonymous_refused: none,
  second_factor_required: none,
  not_an_operator: none,
  keys_unavailable: none,
  wrong_email: [
    { given: 'a@b.c', email: 'ada@example.com' },
    { given: 'x', email: null },
  ],

  agent_not_found: { one: {}, of_token: {} },
  conversation_not_found: none,
  message_not_found: { any: {}, before: {}, answer: {} },
  run_not_found: none,
  item_not_found: none,
  approval_id_missing: unfit,
  already_decided: none,
  not_an_approver: none,
  not_as_asked: none,
  pattern_too_wide: [
    { domain: 'gmail.com', addresses: ['a@gmail.com', 'b@gmail.com'] },
    { domain: 'gmail.com', addresses: undefined },
  ],
  pattern_does_not_fit: [
    { pattern: '*@acme.com', addresses: ['a@b.c', 'd@e.f'] },
    { pattern: '*@acme.com', addresses: undefined },
  ],
  permission_not_possible: { tool: { tool: 'web_search' }, question: {} },
  permission_not_found: none,
  schedule_not_found: none,
  schedule_never_due: [{ cron: '0 9 31 2 *' }],
  schedule_open: none,
  too_many_schedules: none,
  too_many_permissions: none,
  nothing_pending: none,
  not_due: none,
  still_running: { answer: {}, write: {} },
  conversation_busy: none,
  not_running: [{ status: 'completed' }],
  stale: none,
  cannot_continue: none,
  too_many_readers: [{ most: 20 }],
  interrupted: [{ isRepeated: true }, { isRepeated: false }],

  model_not_available: { unlisted: choice, no_key: { ...choice, choices: [] } },
  model_not_found: [{ model: 'x' }],
  model_not_configured: none,
  model_unavailable: [busy],
  context_too_long: [{ said: { code: 'context_too_long', values: { why: 'setup' } } }],
  own_key_refused: [{ provider: 'OpenAI' }],
  own_key_unused: [
    { said: { code: 'model_unavailable', values: { why: 'own_key_silent', provider: 'OpenAI' } } },
  ],
  tools_do_not_fit: [{ tools: ['x', 'y'] }, { tools: [] }],

  built_in: [{ provider: 'Documents' }],
  connection_not_found: none,
  connection_test_failed: [{ said: asked }],
  invalid_values: [{ said: asked }],
  label_taken: none,
  no_account: [{ provider: 'Gmail' }],
  no_sign_in: [{ provider: 'SMTP' }],
  sign_in_needed: { provider: { provider: 'Gmail' }, item: {}, other_account: {} },
  sign_in_refused: [{ provider: 'Gmail' }],
  nothing_granted: [{ provider: 'Gmail' }],
  foreign_code: none,
  unknown_code: none,
  unknown_state: none,
  unknown_provider: [{ provider: 'x' }],
  return_to_not_allowed: { no_app: {}, foreign: {} },
  provider_unavailable: [{ said: asked }],
  token_not_found: none,
  grant_not_found: none,
  server_not_found: none,
  server_not_usable: [{ said: asked }],
  server_name_taken: [{ name: 'linear' }],
  not_verifiable: {
    not_here: { tool: 'linear__find' },
    off: { tool: 'linear__find' },
    not_a_read: { tool: 'linear__find' },
    no_argument: { tool: 'linear__find', argument: 'query' },
    argument_missing: { tool: 'linear__find', argument: 'query' },
    no_such_value: { of: 'linear__create', argument: 'title' },
    same_for_all: {},
  },

  run_failed: [{ words: 'Nothing was carried out.' }],
  internal_error: { request: {}, run: {}, stream: {} },
  database_busy: [{}, { so: 'message_not_stored' }],
  database_unavailable: [{}, { so: 'not_connected' }],
  version_not_accepted: none,
  not_configured: {
    clock: {},
    sign_in: { provider: 'Gmail' },
    credentials_key: {},
    provider: { said: asked },
    app_urls: {},
    deciding_links: {},
    servers: {},
  },
  tool_not_found: none,
  not_offered: none,
  offer_refused: {
    no_function: { words },
    function_unknown: fn,
    schema_unclear: fn,
    not_exposed: { words, schema: 'app', exposed: ['public'] },
    not_plain: fn,
    trigger: fn,
    result_type: { ...fn, type: 'record' },
    overloaded: fn,
    name_unfit: fn,
    name_taken: { words, tool: 'web_search' },
    argument_unnamed: { ...fn, number: 1 },
    argument_type: { ...fn, argument: 'p', type: 'internal' },
    comment_unfit: { ...fn, argument: 'p' },
    schema_denied: { words, schema: 'app' },
    function_denied: { ...fn, signature: 'public.f(text)' },
    definer: fn,
    option_unfit: { words, option: 'effect', value: 'x', known: ['read', 'write'] },
    other: { words },
  },
}

const all = Object.entries(samples).flatMap(([code, given]) => {
  const several = Array.isArray(given)
    ? given.map((values) => ({ values }))
    : Object.entries(given).map(([why, values]) => ({ values: { why, ...values } }))
  return several.map(({ values }): [string, object] => [code, values])
})
/** Those that only repeat somebody else's words. */
const repeating = new Set(['bad_request engine', 'run_failed'])
const nameOf = (code: string, values: object) => ('why' in values ? `${code} ${values.why}` : code)
const wholeSentence = /^[^a-zäöü].*[.?]$/u
const broken = /undefined|null\b(?!\.)|NaN|\[object| {2}|„“|""|\(\)/
const informal = /(?<![\p{L}])(?:du|dich|dir|dein\w*|versuche|sende|lade|lösche|warte)(?![\p{L}])(?! Sie)/iu

const english = languageFor({ locale: 'en' })
const inGerman = () => languageFor({ locale: 'de' })
const say = (language: Language, code: string, values: object) => sayRefusal(language, { code, values })

afterEach(() => overrule({}))

describe('a refused request', () => {
  it.each(all)('says in English and German why it is %s: %j', (code, values) => {
    const sentences = [say(english, code, values), say(inGerman(), code, values)]
    for (const sentence of sentences) {
      expect(sentence).toMatch(wholeSentence)
      expect(sentence).not.toMatch(broken)
    }
    expect(sentences[0] === sentences[1]).toBe(repeating.has(nameOf(code, values)))
  })

  it('is said without "du" in formal German', () => {
    overrule({ de: formalGerman })
    const german = inGerman()
    expect(
      all.map(([code, values]) => say(german, code, values)).filter((one) => informal.test(one)),
    ).toEqual([])
  })
})
