import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import { secretFields } from '../../../shared/integrations/definition/integration.ts'
import { smtpProvider, smtpSendEmail } from '../../../supabase/functions/smtp-api/integration.ts'
import { project } from '../../../support/stack.ts'

const integrations = await readIntegrations(join(project, 'supabase/functions'))
const catalogue = integrations.flatMap(({ tools }) => tools)
const providers = integrations.flatMap((integration) => integration.providers)

describe('the catalogue', () => {
  it('is plain data: every tool survives JSON unchanged', () => {
    for (const tool of catalogue) expect(JSON.parse(JSON.stringify(tool))).toEqual(tool)
    for (const provider of providers) expect(JSON.parse(JSON.stringify(provider))).toEqual(provider)
  })

  it('names every tool once, and only providers that exist', () => {
    const names = catalogue.map(({ specification }) => specification.name)
    expect(new Set(names).size).toBe(names.length)
    const ids = new Set(providers.map(({ id }) => id))
    for (const { specification } of catalogue)
      expect((specification.providers ?? []).filter((id) => !ids.has(id))).toEqual([])
  })

  it('has words for every permission that a user can give', () => {
    for (const { oauth } of providers) {
      expect(Object.keys(oauth?.words ?? {}).sort()).toEqual(
        [...new Set(Object.values(oauth?.scopes ?? {}).flat())].sort(),
      )
    }
  })

  it('takes no undeclared parameter anywhere: nothing is dropped silently', () => {
    for (const { specification } of catalogue)
      expect(specification.parameters.additionalProperties).toBe(false)
  })

  it('says of every tool what a call did, and of every write what is asked, what its button says and what it is then', () => {
    for (const { specification } of catalogue) {
      const { name, effect, summary, confirm, button, past } = specification
      expect([name, summary]).toEqual([name, expect.any(String)])
      if (effect === 'write')
        expect([name, [confirm, button, past]]).toEqual([name, Array(3).fill(expect.any(String))])
    }
  })

  it('has templates whose places are parameters of their tools, or of what comes back', () => {
    for (const { specification } of catalogue) {
      const { name, parameters, summary = '', confirm = '', button = '', past = '' } = specification
      const declared = [...Object.keys(parameters.properties ?? {}), 'output']
      const places = [summary, confirm, button, past].flatMap((template) => [
        ...template.matchAll(/\{(\w+)/g),
      ])
      for (const [, place] of places)
        expect([name, declared]).toEqual([name, expect.arrayContaining([place])])
    }
  })

  it('names no tool and no parameter in what people read', () => {
    const tools = catalogue.map(({ specification }) => specification.name)
    const isShown = ([name]: [string, unknown]) => ['title', 'question', 'hint'].includes(name)
    const wordsIn = (value: unknown): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap((member) =>
            isShown(member) && typeof member[1] === 'string' ? [member[1]] : wordsIn(member[1]),
          )
    for (const { specification } of catalogue) {
      for (const words of wordsIn(specification)) {
        expect(tools.filter((name) => words.includes(name))).toEqual([])
        expect(words).not.toMatch(/\w_\w/)
      }
    }
  })

  it('has a question for every required parameter', () => {
    for (const { specification } of catalogue) {
      const { properties = {}, required = [] } = specification.parameters
      for (const name of required) expect(properties[name]).toHaveProperty('question')
    }
  })
})

describe('smtp_send_email', () => {
  const prepare = (args: object) =>
    prepareToolCall({
      name: 'smtp_send_email',
      rawArguments: JSON.stringify(args),
      tools: [smtpSendEmail.specification],
    })

  it('asks who the mail is for in the words of the protocol', () => {
    const prepared = prepare({ subject: 'Meeting', body: 'At ten.' })
    expect(prepared).toMatchObject({
      ok: false,
      error: {
        error: 'Question: Who should I send this email to? Please provide the recipient email address.',
        errorType: 'missing_parameter',
        resolver: 'model',
        details: { parameter: 'to' },
      },
    })
  })

  it('takes a full mail as it is', () => {
    const args = {
      to: ['ada@example.com'],
      cc: ['b@example.com'],
      bcc: ['c@example.com'],
      reply_to: 'd@example.com',
      subject: 'Prüfung ✓',
      body: 'a\n.\nb',
      html: '<p>a</p>',
      attachments: [{ filename: 'a.txt', content: 'a', content_type: 'text/plain', encoding: 'text' }],
    }
    expect(prepare(args)).toMatchObject({ ok: true, args, repairs: [] })
  })

  it.each([
    ['a subject of two lines', { subject: 'Hello\r\nBcc: evil@example.org' }, 'subject'],
    ['a recipient of two lines', { to: ['ada@example.com\r\nBcc: evil@example.org'] }, 'to[0]'],
    ['two recipients in one text', { to: ['a@example.com,b@example.com'] }, 'to[0]'],
    [
      'a file name with a path',
      { attachments: [{ filename: '../a.txt', content: 'a' }] },
      'attachments[0].filename',
    ],
    [
      'a file name that is a folder',
      { attachments: [{ filename: '..', content: 'a' }] },
      'attachments[0].filename',
    ],
    [
      'a file name that hides its ending',
      { attachments: [{ filename: 'rep\u202efdp.exe', content: 'a' }] },
      'attachments[0].filename',
    ],
    [
      'a file name that readers would show as another one',
      { attachments: [{ filename: '=?utf-8?Q?invoice.exe?=.txt', content: 'a' }] },
      'attachments[0].filename',
    ],
    [
      'a file that would be parts of the mail',
      { attachments: [{ filename: 'a', content: 'a', content_type: 'Multipart/mixed' }] },
      'attachments[0].content_type',
    ],
    [
      'a file to read from the server',
      { attachments: [{ filename: 'a', content: 'a', path: '/etc/passwd' }] },
      'attachments[0].path',
    ],
  ])('refuses %s', (_, wrong, parameter) => {
    const prepared = prepare({ to: ['ada@example.com'], subject: 'Meeting', body: 'At ten.', ...wrong })
    expect(prepared).toMatchObject({ ok: false, error: { details: { parameter } } })
  })

  it('keeps the password of a connection secret and nothing else', () => {
    expect(secretFields(smtpProvider)).toEqual(['password'])
  })
})
