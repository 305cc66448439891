import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import { makeSentencesPage } from '../../../scripts/sentences/page.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { saidError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { judgeReturned } from '../../../shared/engine/tools/tool-outcome.ts'
import { describePending, type Pending } from '../../../shared/engine/transcript/answer.ts'
import type { Entry, QuestionEntry } from '../../../shared/engine/transcript/entry.ts'
import { sayError } from '../../../shared/engine/transcript/own-words.ts'
import { saidOf } from '../../../shared/engine/wording/question-for-people.ts'
import { sayConfirm, saySummary, sayVerb } from '../../../shared/words/fill-words.ts'
import { english as ourEnglish } from '../../../shared/words/languages/english.ts'
import { showMomentOfYear } from '../../../shared/words/locale.ts'
import { providerOf, sayOwn } from '../../../shared/words/say.ts'
import { sentences } from '../../../shared/words/sentence-codes.ts'
import { showIn } from '../../../shared/words/show.ts'
import type { FieldWords } from '../../../shared/words/tool-words.ts'
import { projectParts } from '../../../supabase/functions/chat/answer/ui-message.ts'
import { sayProvider } from '../../../supabase/functions/integration-settings/provider-words.ts'
import { german as ourGerman } from '../../../support/own-languages.ts'
import { project } from '../../../support/stack.ts'

const integrations = await readIntegrations(join(project, 'supabase/functions'))
const tools = integrations.flatMap((one) => one.tools).map(({ specification }) => specification)
const providers = integrations.flatMap((one) => one.providers)
/** What an answer says of every provider besides. */
const rest = { tools: [], oauth: false, connections: [] }
/** Readers in Berlin. */
const timeZone = 'Europe/Berlin'
const german = { ...ourGerman, timeZone }
const english = { ...ourEnglish, timeZone }
const show = showIn('de', ['„', '“'], timeZone)
const byName = new Map(tools.map((tool) => [tool.name, tool]))
/** An open item as a reader has it, by what is stored of it. */
const sayPending = (language: typeof ourGerman, { type: kind, values = {}, schema, ...item }: Pending) => {
  const open = Object.keys(schema?.properties ?? {})
  const slots = Object.fromEntries(open.map((path) => [path.replace(/\[.*/, ''), '<a value>']))
  const question = { ...item, type: 'question', kind, arguments: { ...slots, ...values }, open }
  return describePending(question as QuestionEntry, byName, language)
}

/** Every field of a form, by its path. */
function fieldsOf({ properties = {} }: JsonSchema, before = ''): [string, JsonSchema][] {
  return Object.entries(properties).flatMap(([name, field]): [string, JsonSchema][] => {
    if (typeof field !== 'object') return []
    const items = typeof field.items === 'object' ? (field.items as JsonSchema) : {}
    return [
      [before + name, field],
      ...fieldsOf(field, `${before}${name}.`),
      ...fieldsOf(items, `${before}${name}.`),
    ]
  })
}

/** The members of a field that people read. */
const read = ({ question, hint, unfit, enum: choices }: JsonSchema) => ({ question, hint, unfit, choices })

function expectFields(schema: JsonSchema, words: Readonly<Record<string, FieldWords>>) {
  const fields = fieldsOf(schema)
  expect(Object.keys(words).sort()).toEqual(fields.map(([path]) => path).sort())
  for (const [path, field] of fields) {
    const { question, unfit, choices } = read(field)
    expect([path, words[path]?.question !== undefined]).toEqual([
      path,
      question !== undefined || words[path]?.question !== undefined,
    ])
    expect([path, words[path]?.unfit !== undefined]).toEqual([path, unfit !== undefined])
    expect([path, Object.keys(words[path]?.choices ?? {})]).toEqual([path, choices ?? []])
  }
}

/** Values of sentences that are no text. */
const known: Readonly<Record<string, unknown>> = {
  accounts: ['ada@example.com', 'bob@example.com'],
  answered: { from: 'no-reply@example.com', replyTo: 'ada@example.com' },
  at: '2026-11-23T10:00:00Z',
  isDone: true,
  labels: ['Work'],
  measure: 'tokens',
  origins: [{ value: 'ada@example.com', from: 'message' }],
  per: 'day',
  resumeAt: '2026-11-23T10:00:00Z',
  retryAfterMs: 2000,
  tools: ['Send email'],
  versions: [{ revision: 3, until: '2026-11-23T10:00:00Z' }],
}

/** A call of each tool, and what came back, with the German that stands for it. */
const calls: Record<
  string,
  { input: object; output?: object; confirm?: string; summary: string; button?: string }
> = {
  smtp_send_email: {
    input: { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' },
    confirm: '„Meeting“ an „ada@example.com“ senden?',
    summary: '„Meeting“ an „ada@example.com“ gesendet',
    button: 'Senden',
  },
  smtp_test_connection: { input: {}, summary: 'Das Mailkonto funktioniert' },
  gmail_send_email: {
    input: { to: ['a@x.de', 'b@x.de', 'c@x.de', 'd@x.de'], subject: 'Fest', body: 'Kommt!' },
    confirm: '„Fest“ an 4 Personen senden?',
    summary: '„Fest“ an 4 Personen gesendet',
    button: 'Senden',
  },
  gmail_create_draft: {
    input: { to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.' },
    confirm: '„Meeting“ an „ada@example.com“ als Entwurf speichern?',
    summary: '„Meeting“ an „ada@example.com“ als Entwurf gespeichert',
    button: 'Speichern',
  },
  gmail_search_emails: {
    input: { query: 'from:ada' },
    output: { messages: [{}, {}] },
    summary: 'In Gmail nach „from:ada“ gesucht: 2 E-Mails',
  },
  gmail_read_emails: { input: {}, output: { messages: [{}] }, summary: '1 E-Mail gelesen' },
  gmail_email_actions: {
    input: { action: 'delete_forever', message_ids: ['a1', 'b2'] },
    output: {
      results: [
        { id: 'a1', ok: true },
        { id: 'b2', ok: false },
      ],
    },
    confirm: '2 E-Mails endgültig löschen?',
    summary: '1 E-Mail endgültig gelöscht',
    button: '2 E-Mails endgültig löschen',
  },
  gmail_manage_labels: {
    input: { action: 'apply', label_name: 'Invoices', message_ids: ['a1'] },
    confirm: '1 E-Mail mit dem Label „Invoices“ versehen?',
    summary: '1 E-Mail mit dem Label „Invoices“ versehen',
    button: 'Label vergeben',
  },
  web_search: {
    input: { query: 'limits' },
    output: { results: [{}] },
    confirm: 'Im Web nach „limits“ suchen?',
    summary: 'Im Web nach „limits“ gesucht: 1 Treffer',
    button: 'Suchen',
  },
  news_search: {
    input: { query: 'limits' },
    output: { results: [{}, {}] },
    confirm: 'In den Nachrichten nach „limits“ suchen?',
    summary: 'In den Nachrichten nach „limits“ gesucht: 2 Treffer',
    button: 'Suchen',
  },
  scrape_and_summarize: {
    input: { urls: ['https://example.com/a'] },
    confirm: '„https://example.com/a“ lesen?',
    summary: '„https://example.com/a“ gelesen',
    button: '1 Seite lesen',
  },
  docs_create_document: {
    input: { title: 'Plan' },
    output: { document_id: 'd', title: 'Plan' },
    confirm: 'Das Dokument „Plan“ anlegen?',
    summary: 'Dokument „Plan“ angelegt',
    button: 'Anlegen',
  },
  docs_read_document: {
    input: { document_id: 'd' },
    output: { title: 'Plan', content: '' },
    summary: 'Dokument „Plan“ gelesen',
  },
  docs_append_text: {
    input: { document_id: 'd', text: 'Mehr' },
    confirm: '„Mehr“ in einem Dokument ergänzen?',
    summary: '„Mehr“ in einem Dokument ergänzt',
    button: 'Ergänzen',
  },
  docs_replace_text: {
    input: { document_id: 'd', find: 'a', replace: 'b' },
    confirm: 'Wörter in einem Dokument ersetzen?',
    summary: 'In einem Dokument „a“ durch „b“ ersetzt',
    button: 'Ersetzen',
  },
  docs_restore_version: {
    input: { document_id: 'd' },
    confirm: 'Frühere Version eines Dokuments wiederherstellen?',
    summary: 'Frühere Version eines Dokuments wiederhergestellt',
    button: 'Wiederherstellen',
  },
  docs_search: {
    input: { query: 'plan' },
    output: { documents: [] },
    summary: 'In den Dokumenten nach „plan“ gesucht: 0 Dokumente',
  },
  schedules_create: {
    input: { message: 'Lies meine Mails.', cron: '0 9 * * 1-5' },
    output: { next: ['Montag, 30. November 2026 um 09:00'] },
    confirm: '„Lies meine Mails.“ zu festen Zeiten erledigen?',
    summary: '„Lies meine Mails.“ eingeplant, das nächste Mal am „Montag, 30. November 2026 um 09:00“',
    button: 'Zeitplan anlegen',
  },
  schedules_list: {
    input: {},
    output: { schedules: [{}, {}] },
    summary: 'Die Zeitpläne aufgelistet: 2 Zeitpläne',
  },
  schedules_delete: {
    input: { schedule_id: 'a' },
    output: { message: 'Lies meine Mails.' },
    confirm: 'Den Zeitplan löschen?',
    summary: 'Den Zeitplan „Lies meine Mails.“ gelöscht',
    button: 'Zeitplan löschen',
  },
  docs_share: {
    input: { document_id: 'd', emails: ['ada@example.com'], role: 'writer' },
    confirm: 'Ein Dokument mit „ada@example.com“ teilen (Recht: bearbeiten)?',
    summary: 'Ein Dokument mit „ada@example.com“ geteilt (Recht: bearbeiten)',
    button: 'Teilen',
  },
}

describe('German', () => {
  it('has every sentence of the server by its code, and no other', () => {
    expect(Object.keys(german.said).sort()).toEqual(Object.keys(sentences).sort())
  })

  it.each([
    [
      'why a mail account does not work',
      'connection_unusable',
      {
        provider: 'SMTP',
        why: 'host_unknown',
        whyValues: { host: 'mail.exmaple.com', port: 465 },
        whyText: 'there is no mail server named mail.exmaple.com.',
      },
      'An deiner Verbindung mit SMTP stimmt etwas nicht. Einen Mailserver namens mail.exmaple.com gibt es nicht. Prüfe sie in den Einstellungen.',
    ],
    [
      'which accounts a mail can come from',
      'account_unclear',
      { accounts: ['ada@example.com', 'a.lovelace@example.com'] },
      'Von welchem deiner Konten soll diese E-Mail kommen: „ada@example.com“ oder „a.lovelace@example.com“?',
    ],
    [
      'which labels there are',
      'label_not_found',
      { label: 'Urgent', labels: ['Family', 'Work'] },
      'Ein Label „Urgent“ gibt es nicht. Welches davon meinst du: „Family“ und „Work“?',
    ],
    [
      'how a text is spelt in a document',
      'text_not_in_document',
      { find: 'hello', spellings: ['Hello'] },
      '„hello“ steht nicht genau so im Dokument, sondern so: „Hello“. Welcher Text soll ersetzt werden?',
    ],
    [
      'in which tabs a text is',
      'tab_unclear',
      { find: 'Total', tabs: ['May', 'June'] },
      '„Total“ steht in mehreren Tabs. In welchem soll er ersetzt werden: „May“ und „June“?',
    ],
    [
      'which tabs a document has',
      'tab_not_found',
      { tab: 'July', tabs: ['May', 'June'] },
      'Einen Tab „July“ gibt es in diesem Dokument nicht. Welcher davon ist gemeint: „May“ und „June“?',
    ],
    [
      'which versions are kept',
      'version_not_found',
      { versions: [{ revision: 3, until: '2026-11-23T10:00:00Z' }] },
      `Welche Version soll ich wiederherstellen? Es gibt noch: 3 (bis ${show.moment('2026-11-23T10:00:00Z')}).`,
    ],
  ])('says %s', (_, code, values, text) => {
    expect(sayOwn(german, { code, values, text: 'In English.' })).toBe(text)
  })

  it.each(Object.entries<{ says: string; values?: readonly string[] }>(sentences))(
    'says %s without a hole, whatever is known',
    (code, { values = [] }) => {
      const all = Object.fromEntries(values.map((name) => [name, known[name] ?? 'something']))
      for (const given of [all, {}])
        expect(sayOwn(german, { code, values: given, text: 'In English.' })).not.toMatch(/undefined|\[object/)
    },
  )

  it('has every tool of ours with its fields, and no other', () => {
    expect(Object.keys(german.tools).sort()).toEqual(tools.map(({ name }) => name).sort())
    for (const { name, parameters } of tools) expectFields(parameters, german.tools[name]?.fields ?? {})
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'says what %s does where English does',
    (name, tool) => {
      const { input = {}, output = {}, confirm, summary, button } = calls[name] ?? {}
      const own = german.tools[name]
      const args = input as Record<string, unknown>
      expect(own?.confirm !== undefined).toBe(tool.confirm !== undefined)
      expect(own?.button !== undefined).toBe(tool.button !== undefined)
      expect(own?.past !== undefined).toBe(tool.past !== undefined)
      expect(sayConfirm(own, args, show, {})).toBe(confirm)
      expect(saySummary(own, args, output as Record<string, unknown>, show, {})).toBe(summary)
      expect(sayVerb(own, args, show)).toBe(button)
    },
  )

  it('counts who gets a copy, too', () => {
    const say = (more: object) =>
      sayConfirm(german.tools.smtp_send_email, { subject: 'Fest', to: ['a@x.de'], ...more }, show, {})
    expect(say({ bcc: ['b@x.de'] })).toBe('„Fest“ an „a@x.de“ und eine weitere Person senden?')
    expect(say({ cc: ['b@x.de'], bcc: ['c@x.de'] })).toBe('„Fest“ an „a@x.de“ und 2 weitere Personen senden?')
  })

  it('has words for every value of what is done with emails and labels', () => {
    for (const name of ['gmail_email_actions', 'gmail_manage_labels']) {
      const action = tools.find((tool) => tool.name === name)?.parameters.properties?.action as JsonSchema
      for (const value of action.enum ?? []) {
        const args = { action: value, label_name: 'Post', message_ids: ['a'] }
        expect(sayConfirm(german.tools[name], args, show, {})).toMatch(/\?$/)
        expect(saySummary(german.tools[name], args, { results: [{}] }, show, {})).toEqual(expect.any(String))
        expect(sayVerb(german.tools[name], args, show)).toEqual(expect.any(String))
      }
    }
  })

  it('has every provider with its fields, and every permission', () => {
    for (const provider of providers) {
      const said = sayProvider(german, { ...provider, ...rest, available: true } as never)
      expect(said.description).not.toBe(provider.description)
      expect(said.description).not.toContain('undefined')
      expectFields(provider.connection, providerOf(german, provider.id)?.fields ?? {})
    }
    const ids = providers.map(({ id }) => id)
    expect(Object.keys(german.providers).filter((id) => !ids.includes(id))).toEqual([])
    const words = providers.flatMap(({ oauth }) => Object.keys(oauth?.words ?? {}))
    expect(Object.keys(german.scopes).sort()).toEqual([...new Set(words)].sort())
  })
})

test('a call that was not carried out is told in the language of its reader', () => {
  const values = { tool: 'Send email', toolName: 'smtp_send_email' }
  const error = saidError('unavailable', { code: 'tool_not_started', values })
  expect(error.error).toBe('"Send email" could not be started.')
  expect(sayError(english, error)).toBe('"Send email" could not be started.')
  expect(sayError(german, error)).toBe('„E-Mail senden“ ließ sich nicht starten.')
})

test('the page of codes is what the catalogue makes of it', async () => {
  const page = await readFile(join(project, 'docs/sentences.md'), 'utf8')
  expect(page).toBe(makeSentencesPage())
})

const mail = { subject: 'Meeting', body: 'At ten.', to: ['ada@example.com'] }
const pending = (more: Partial<Pending>): Pending => ({
  type: 'approval',
  itemId: 'i',
  toolCallId: 'c',
  toolName: 'smtp_send_email',
  title: 'Send email',
  intent: 1,
  code: 'approve',
  question: 'Question: Send "Meeting" to "ada@example.com"?',
  asked: 'Send "Meeting" to "ada@example.com"?',
  confirm: 'Send "Meeting" to "ada@example.com"?',
  button: 'Send email',
  askedAt: '2026-11-23T10:00:00Z',
  values: mail,
  ...more,
})

describe('what is open', () => {
  it('is asked in English as the author of its tool says it', () => {
    const codeValues = { tool: 'Send email', toolName: 'smtp_send_email' }
    const { asked, title } = sayPending(
      english,
      pending({ code: 'approve', codeValues, title: 'Send email' }),
    )
    expect(asked).toBe('Send "Meeting" to "ada@example.com"?')
    expect(title).toBe('Send email')
  })

  it('is asked in the language of the reader, with what must be seen besides', () => {
    const codeValues = {
      tool: 'Send email',
      toolName: 'smtp_send_email',
      besides: ['reply_to'],
      origins: [{ value: 'ada@example.com', from: { file: 'list“.txt' } }],
    }
    const values = { ...mail, reply_to: 'eve@example.com' }
    expect(sayPending(german, pending({ code: 'approve_origin', codeValues, values }))).toMatchObject({
      asked: '„Meeting“ an „ada@example.com“ senden? (Antwort an: „eve@example.com“)',
      confirm: '„Meeting“ an „ada@example.com“ senden? (Antwort an: „eve@example.com“)',
      hint: "„ada@example.com“ stammt aus der Datei „list'.txt“, nicht von dir.",
      button: 'Senden',
      title: 'E-Mail senden',
    })
  })

  it('says what went to the same people, and when, and whether this should go as well', () => {
    const at = '2026-11-23T10:00:00Z'
    const input = { ...mail, subject: 'Mittag' }
    const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', at, when: 'x', isDone: true, input }
    const said = sayPending(german, pending({ code: 'approve_as_well', codeValues, values: mail }))
    const moment = showMomentOfYear(at, 'de', timeZone)
    expect(said.hint).toBe(
      `Schon am ${moment.replace(', ', ' um ')} erledigt: „Mittag“ an „ada@example.com“ gesendet. Das hier auch?`,
    )
    expect(said.asked).toBe('„Meeting“ an „ada@example.com“ senden?')
  })

  it('has the fields of a tool of ours in the language, and those of another as its author has them', () => {
    const schema = { type: 'object', properties: { to: { type: 'array', title: 'recipient email address' } } }
    const codeValues = {
      parameter: 'to',
      field: 'to',
      question: 'Who gets it?',
      also: ['subject'],
      needed: ['subject line'],
    }
    const item = pending({ type: 'input', code: 'value_missing', schema })
    const own = sayPending(german, { ...item, codeValues: { ...codeValues, toolName: 'smtp_send_email' } })
    expect(own).toMatchObject({
      asked: 'An wen soll ich diese E-Mail senden?',
      alsoNeeded: ['Betreff'],
      question: 'An wen soll ich diese E-Mail senden? Außerdem nötig: Betreff.',
      schema: { properties: { to: { title: 'E-Mail-Adresse des Empfängers' } } },
    })
    const others = sayPending(german, {
      ...item,
      toolName: 'invite',
      codeValues: { ...codeValues, toolName: 'invite' },
    })
    expect(others).toMatchObject({ asked: 'Who gets it?', alsoNeeded: ['subject line'] })
  })

  it('tells fields of lists apart', () => {
    const schema = {
      type: 'object',
      properties: { 'to[0]': { type: 'string' }, 'cc[0]': { type: 'string' }, 'cc[1]': { type: 'string' } },
    }
    const codeValues = {
      toolName: 'smtp_send_email',
      parameter: 'to[0]',
      also: ['cc[0]', 'cc[1]'],
      needed: ['Cc', 'Cc 2'],
    }
    const item = pending({ type: 'input', code: 'value_missing', schema })
    expect(sayPending(german, { ...item, codeValues })).toMatchObject({
      alsoNeeded: ['Cc', 'Cc 2'],
      schema: {
        properties: {
          'to[0]': { title: 'E-Mail-Adresse des Empfängers' },
          'cc[0]': { title: 'Cc' },
          'cc[1]': { title: 'Cc 2' },
        },
      },
    })
  })

  it('keeps the words of the server where the language knows none', () => {
    const item = pending({ code: 'approve', toolName: 'invite', codeValues: { toolName: 'invite' } })
    expect(sayPending(german, item)).toMatchObject({ asked: item.asked, confirm: item.confirm })
    expect(sayOwn(german, { code: 'not_known_here', text: 'As it is.' })).toBe('As it is.')
  })

  it('shows values in quotes that they cannot close, without what is not seen', () => {
    const values = { ...mail, subject: 'Hi“ an „eve\u202E@x“' }
    const { asked } = sayPending(
      german,
      pending({ code: 'approve', values, codeValues: { toolName: 'smtp_send_email' } }),
    )
    expect(asked).toBe("„Hi' an 'eve@x'“ an „ada@example.com“ senden?")
  })
})

test('an account names what was done, what was not and what may have been, in German', () => {
  const about = { tool: 'Send email', toolName: 'smtp_send_email', input: mail }
  const say = (code: string, values: object) =>
    sayOwn(german, { code, values: { ...about, ...values }, text: 'The English of it.' })
  expect(say('done', { tools: ['Send email'], toolNames: ['smtp_send_email'] })).toBe(
    '„Meeting“ an „ada@example.com“ gesendet.',
  )
  const why = { why: 'cancelled', whyText: 'This was not carried out.' }
  expect(say('not_done', why)).toMatch(/^Nicht erledigt: „Meeting“ an „ada@example\.com“ senden\. \S/)
  expect(
    say('unknown_if_done', { isDone: false, why: 'outcome_unknown', whyText: 'It may have been sent.' }),
  ).toBe('Vielleicht schon geschehen: „Meeting“ an „ada@example.com“ gesendet. Eine Bestätigung kam nicht.')
})

test('what may have been done is asked with what it was and to whom, in German', () => {
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', isDone: false, input: mail }
  expect(sayPending(german, pending({ code: 'outcome_unknown', codeValues }))).toMatchObject({
    asked: 'Noch einmal: „Meeting“ an „ada@example.com“ senden?',
    hint: 'Vielleicht schon gesendet; eine Bestätigung kam nicht.',
  })
})

test('what a foreign tool asks keeps its words inside ours', () => {
  const values = { tool: 'Plan a visit', words: 'When? (link left out)' }
  expect(sayOwn(german, { code: 'tool_asks', values, text: 'Plan a visit asks: When?' })).toBe(
    'Plan a visit fragt: When? (Link weggelassen)',
  )
})

test('so does what a foreign tool says of its failure', () => {
  const values = { tool: 'Plan a visit', words: 'When? (link left out)' }
  for (const code of ['invalid_value', 'not_found', 'authentication_error', 'execution_error'])
    expect(sayOwn(german, { code, values, text: '' }), code).toBe('When? (Link weggelassen)')
})

test('what we add to the question of a tool is not English in German; the hint of the tool is', () => {
  const asked = (day: JsonSchema) => {
    const parameters = { type: 'object', properties: { day }, required: ['day'] }
    const tool = { name: 'plan_visit', description: 'Plans a visit.', effect: 'read' as const, parameters }
    const returned = { success: false, error: 'day is required' }
    const result = judgeReturned(returned, { tool, args: {}, effectBegan: false })
    if (result.ok) throw new Error('The tool has asked nothing.')
    const said = saidOf(result)
    return [sayOwn(english, { ...said, text: '' }), sayOwn(german, { ...said, text: '' })]
  }
  expect(asked({ type: 'string' })).toEqual([
    'Plan visit asks: What day should I use? Please provide text.',
    'Plan visit fragt: What day should I use?',
  ])
  expect(asked({ type: 'string', question: 'Which day?', hint: 'A weekday, please.' })).toEqual([
    'Plan visit asks: Which day? A weekday, please.',
    'Plan visit fragt: Which day? A weekday, please.',
  ])
})

test('what a code means is said to people where its values are missing, so it names no value', () => {
  for (const [code, { says }] of Object.entries<{ says: string }>(sentences))
    expect(says, code).not.toMatch(/[`{}]/)
})

test('a list or an object that does not fit is not shown as JSON', () => {
  const place = { field: 'order ID', parameter: 'order_id', expected: 'text', fault: 'type' }
  const label = { text: 'order ID', takesArticle: true, owner: '' }
  for (const [type, value] of [
    ['array', '["#W8955613"]'],
    ['object', '{"id":"#W8955613"}'],
  ]) {
    const said = { code: 'value_unfit', values: { ...place, label, type, value }, text: '' }
    expect(sayOwn(english, said)).toMatch(
      /^There seems to be an issue with the order ID\. Please provide text, not an? /,
    )
    expect(sayOwn(german, said)).toBe('„order ID“ passt so nicht.')
  }
})

test('a reason that is a whole sentence keeps its end, and gets no second one', () => {
  const said = (reason: string) => sayOwn(german, { code: 'unavailable', values: { reason }, text: '' })
  expect(said('It is closed.')).toBe('Der Dienst ist gerade nicht erreichbar. Begründung: „It is closed.“')
  expect(said('closed')).toBe('Der Dienst ist gerade nicht erreichbar. Begründung: „closed“.')
})

test('a message has its lines, its errors and our own texts in the language, and the words of the model as they are', () => {
  const call = (toolCallId: string): Entry => ({
    type: 'call',
    toolCallId,
    name: 'smtp_send_email',
    toolName: 'smtp_send_email',
    effect: 'write',
    prepared: true,
    input: mail,
    repairs: [],
    intent: 1,
    attempt: 1,
    startedAt: '2026-11-23T10:00:00Z',
  })
  const late = toolError('timeout', '"Send email" did not answer in time.', {
    details: {
      asked: {
        code: 'timeout',
        values: { toolName: 'smtp_send_email' },
        asked: 'It did not answer in time.',
      },
    },
  })
  const end = { type: 'result', tries: 1, durationMs: 1 } as const
  const entries: Entry[] = [
    call('a'),
    call('b'),
    call('c'),
    {
      ...end,
      toolCallId: 'a',
      status: 'succeeded',
      result: { ok: true, data: {} },
      summary: 'Sent "Meeting"',
    },
    { ...end, toolCallId: 'c', status: 'failed', result: late },
    {
      type: 'run-end',
      status: 'failed',
      text: 'Stopped. I mean it',
      ours: [{ code: 'stopped', text: 'Stopped.' }],
    },
  ]
  const wordsOf = (language: typeof german) =>
    projectParts(entries, new Map(), language).flatMap(({ text, errorText, data }) => {
      const { summary } = (data ?? {}) as { summary?: string }
      return [text, errorText, summary].filter((one) => one !== undefined)
    })
  expect(wordsOf(german)).toEqual(
    expect.arrayContaining([
      'Stopped. I mean it',
      '„Meeting“ an „ada@example.com“ gesendet',
      'Das wurde gestoppt, bevor es ausgeführt war.',
      '„E-Mail senden“ hat nicht rechtzeitig geantwortet.',
      'Gestoppt.',
    ]),
  )
  expect(wordsOf(english)).toContain('Sent "Meeting"')
})

test('a wait for a budget ends at the reader’s own time, in English and German', () => {
  const resumeAt = '2026-11-24T00:00:12.000Z'
  const wait = pending({
    type: 'wait',
    code: 'wait_budget',
    codeValues: { scope: 'user', measure: 'tokens', per: 'day', limit: 100, resumeAt },
    question:
      'You’ve used today’s budget. It continues on 24 Nov at 00:00 UTC. To continue sooner, ask your administrator.',
  })
  const when = (locale: string) => showMomentOfYear(resumeAt, locale, timeZone)
  const on = when('en-GB').replace(', ', ' at ')
  expect(sayPending(english, wait).question).toBe(
    `You’ve used today’s budget. It continues on ${on}. To continue sooner, ask your administrator.`,
  )
  expect(sayPending(german, wait).question).toBe(
    `Dein Budget für heute ist aufgebraucht. Es geht am ${when('de').replace(', ', ' um ')} weiter. Soll es früher sein, frag deine Administratoren.`,
  )
})

test('the time in the server’s English words is the reader’s own', () => {
  const at = '2026-11-23T10:00:00Z'
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', at, isDone: true, input: mail }
  const item = pending({ code: 'approve_again', codeValues })
  const said = sayPending(english, item)
  expect(said.asked).toBe('Send "Meeting" to "ada@example.com" again?')
  expect(said.hint).toBe('Already sent on 23 Nov at 11:00.')
  expect(said.question).not.toContain('UTC')
})

test('a time is without its zone where the reader’s is known, and otherwise says UTC', () => {
  const at = '2026-11-23T10:00:00Z'
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', at, isDone: true, input: mail }
  const hintFor = (timeZone?: string) =>
    sayPending({ ...ourEnglish, timeZone }, pending({ code: 'approve_again', codeValues })).hint
  expect(hintFor('UTC')).toBe('Already sent on 23 Nov at 10:00.')
  expect(hintFor()).toBe('Already sent on 23 Nov at 10:00 UTC.')
})

test.each<[Pending['code'], string, string]>([
  ['approve', 'Send "Meeting" to "ada@example.com"', '„Meeting“ an „ada@example.com“ senden'],
  ['approve_again', 'Send "Meeting" to "ada@example.com"', '„Meeting“ an „ada@example.com“ senden'],
  ['approve_as_well', 'Send "Meeting" to "ada@example.com"', '„Meeting“ an „ada@example.com“ senden'],
  ['approve_after_unknown', 'Send "Meeting" to "ada@example.com"', '„Meeting“ an „ada@example.com“ senden'],
])('what %s asks is stated without what was done before', (code, inEnglish, inGerman) => {
  const input = { ...mail, subject: 'Lunch' }
  const at = '2026-11-23T10:00:00Z'
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', at, isDone: true, input }
  expect(sayPending(english, pending({ code, codeValues, values: mail })).statement).toBe(inEnglish)
  expect(sayPending(german, pending({ code, codeValues, values: mail })).statement).toBe(inGerman)
})

test('of a repetition that is allowed without asking, it is said why it is asked all the same', () => {
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', isDone: true, input: mail }
  const hintIn = (words: typeof ourGerman, isPermitted?: true) =>
    sayPending(words, pending({ code: 'approve_again', codeValues: { ...codeValues, isPermitted } })).hint
  expect(hintIn(english, true)).toBe(
    'This is allowed without asking; you are asked because it may be a repetition. Already sent.',
  )
  expect(hintIn(german, true)).toBe(
    'Das ist ohne Nachfrage erlaubt; gefragt wird nur, weil es doppelt sein könnte. Schon gesendet.',
  )
  expect(hintIn(german)).toBe('Schon gesendet.')
})

test.each<[Pending['code'], string, string]>([
  ['approve_again', 'Send email again', 'Erneut senden'],
  ['approve_after_unknown', 'Send email again', 'Erneut senden'],
  ['approve_as_well', 'Send email', 'Senden'],
  ['approve', 'Send email', 'Senden'],
])('the button of %s says whether it is once more', (code, inEnglish, inGerman) => {
  const at = '2026-11-23T10:00:00Z'
  const codeValues = { tool: 'Send email', toolName: 'smtp_send_email', at, isDone: true, input: mail }
  expect(sayPending(english, pending({ code, codeValues })).button).toBe(inEnglish)
  expect(sayPending(german, pending({ code, codeValues })).button).toBe(inGerman)
})

test('what is done once more in German says so before its verb', () => {
  expect(german.doAgain('Zeitplan anlegen')).toBe('Zeitplan erneut anlegen')
})

test('a form that is an approval, too, says in German what is missing, why it is asked and what will be done', () => {
  const card = {
    type: 'input',
    toolName: 'smtp_send_email',
    title: 'Send email',
    code: 'value_missing',
    codeValues: { toolName: 'smtp_send_email', parameter: 'subject' },
    asked: 'What is the subject?',
    question: 'Question: What is the subject?',
    hint: '"eve@example.com" comes from "Search the web", not from you.',
    confirm: 'Send "…" to "eve@example.com"?',
    button: 'Send email',
    reason: 'provenance',
    why: {
      code: 'approve_origin',
      values: {
        toolName: 'smtp_send_email',
        origins: [{ value: 'eve@example.com', from: { tool: 'Search the web', toolName: 'web_search' } }],
      },
    },
    values: { to: ['eve@example.com'] },
    schema: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
  } as unknown as Pending
  const said = sayPending(german, card)
  expect(said.confirm).toBe('„…“ an „eve@example.com“ senden?')
  expect(said.button).toBe('Senden')
  expect(said.hint).toContain('„eve@example.com“')
  expect(said.question).toContain('Betreff')
  expect(said.question).toContain('„eve@example.com“')
  const toWhom = {
    ...card,
    values: { to: ['eve@example.com', null], subject: 'Hi' },
    schema: { type: 'object', properties: { 'to[1]': { type: 'string' } } },
  } as unknown as Pending
  expect(sayPending(german, toWhom).confirm).toBe('„Hi“ an „eve@example.com“, „…“ senden?')
  const noRecipient = {
    ...card,
    values: { subject: 'Hi' },
    schema: { type: 'object', properties: { to: { type: 'array' } } },
  } as unknown as Pending
  expect(sayPending(german, noRecipient).confirm).toBe('„Hi“ an „…“ senden?')
})
