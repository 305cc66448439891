import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { findRecords } from '../../../shared/engine/transcript/known-records.ts'
import { fillTemplate, parametersIn, recordsIn } from '../../../shared/words/fill-template.ts'
import { english } from '../../../shared/words/languages/english.ts'
import { buttonFor } from '../../../shared/words/languages/in-english.ts'
import { shareDocument } from '../../../supabase/functions/docs-api/integration.ts'
import { gmailEmailActions, gmailManageLabels } from '../../../supabase/functions/gmail-api/integration.ts'
import { call, returned, said, started, step } from '../transcript/entries.ts'
import { approvalQuestion } from './approval-question.ts'

const fill = (template: string, args: Record<string, unknown>, output?: unknown) =>
  fillTemplate(template, { args, output })

describe('a template for people', () => {
  test('shows values in quotes that they cannot close, and a dash where there is none', () => {
    expect(fill('Sent "{subject}" to {to}', { subject: 'a" to "b', to: ['x@y.de', 'z@y.de'] })).toBe(
      `Sent "a' to 'b" to "x@y.de", "z@y.de"`,
    )
    expect(fill('Sent {subject}', {})).toBe('Sent –')
  })
  test('counts with the word for one and for many, without what failed', () => {
    expect(fill('Delete {ids#email|emails}', { ids: ['a'] })).toBe('Delete 1 email')
    expect(fill('Delete {ids#email|emails}', { ids: ['a', 'b', 'c'] })).toBe('Delete 3 emails')
    const output = { results: [{ id: 'a', ok: true }, { id: 'b', ok: false }, { id: 'c' }] }
    expect(fill('Deleted {output.results#email|emails}', {}, output)).toBe('Deleted 2 emails')
  })
  test('names a few values of a list, and of more says how many', () => {
    const people = ['a@b.de', 'b@b.de', 'c@b.de', 'd@b.de']
    expect(fill('Send it to {to~people}?', { to: people.slice(1) })).toBe(
      'Send it to "b@b.de", "c@b.de", "d@b.de"?',
    )
    expect(fill('Send it to {to~people}?', { to: people })).toBe('Send it to 4 people?')
    expect(fill('Send it[ to {to~people}]', { to: [] })).toBe('Send it')
  })
  test('names the first of several lists, and says how many others there are', () => {
    const template = 'Send it to {to,cc,bcc~people}?'
    const to = ['a@b.de']
    expect(fill(template, { to })).toBe('Send it to "a@b.de"?')
    expect(fill(template, { to, bcc: ['b@b.de'] })).toBe('Send it to "a@b.de" and 1 other?')
    const cc = ['b@b.de', 'c@b.de']
    expect(fill(template, { to, cc, bcc: ['d@b.de'] })).toBe('Send it to "a@b.de" and 3 others?')
    expect(fill(template, { to: [...to, ...cc, 'e@b.de'], cc })).toBe('Send it to 6 people?')
    expect(fill(template, { cc: ['b@b.de'] })).toBe('Send it to "b@b.de"?')
    expect(fill(template, {})).toBe('Send it to –?')
    expect(parametersIn(template)).toEqual(['to', 'cc', 'bcc'])
  })
  test('shows what came back, and words by value', () => {
    expect(fill('Created {output.title}', { output: 'x' }, { title: 'Plan' })).toBe('Created "Plan"')
    const template = '{action=delete:Delete|archive:Archive} it'
    expect(fill(template, { action: 'archive' })).toBe('Archive it')
    expect(fill(template, { action: 'burn' })).toBe('– it')
  })
  test('takes the first alternative whose values are all known, and leaves out what is not', () => {
    const template = 'Save[ {subject} to {to}| {subject}| it] now[ as {name}]'
    expect(fill(template, { subject: 'Hi', to: ['a@b.de'] })).toBe('Save "Hi" to "a@b.de" now')
    expect(fill(template, { subject: 'Hi', name: 'x' })).toBe('Save "Hi" now as "x"')
    expect(fill(template, { to: [] })).toBe('Save it now')
    expect(fill('Do [this] with {to[0]}', { to: ['a'] })).toBe('Do [this] with "a"')
  })
})

describe('what a conversation says of ids', () => {
  const tool = (name: string, provider: string): ToolSpecification => ({
    name,
    description: name,
    parameters: {},
    effect: 'read',
    providers: [provider],
  })
  const tools = new Map(
    [tool('search_mail', 'mail'), tool('delete_mail', 'mail'), tool('search_web', 'web')].map((one) => [
      one.name,
      one,
    ]),
  )
  const searched = (id: string, name: string, data: unknown): Entry[] => [
    ...step('', call(id, name, {})),
    returned(id, data),
  ]
  const entries: Entry[] = [
    said('Delete the spam.'),
    started,
    ...searched('1', 'search_mail', {
      messages: [
        { id: 'a1', subject: 'Invoice', from: 'Eve <eve@example.com>' },
        { id: 'b2', subject: 'Win', from: 'spam@example.com' },
        { id: 'c3', subject: 'a1', from: 'mallory@example.com' },
      ],
    }),
    ...searched('2', 'search_web', { results: [{ id: 'a1', subject: 'Nothing important' }] }),
  ]
  const find = findRecords(entries, tools, tool('delete_mail', 'mail'))
  const deletes = {
    name: 'delete_mail',
    confirm: 'Delete {message_ids#email|emails} for good[: {message_ids:subject,from}]?',
  }

  test('names things by what outputs of the same provider say of them', () => {
    expect(approvalQuestion(deletes, { message_ids: ['a1', 'b2'] }, [], find)).toBe(
      'Delete 2 emails for good: "Invoice" from "Eve <eve@example.com>", "Win" from "spam@example.com"?',
    )
  })
  test('says how many where nothing, or not all, is known', () => {
    expect(approvalQuestion(deletes, { message_ids: ['x9', 'y8'] }, [], find)).toBe(
      'Delete 2 emails for good?',
    )
    expect(approvalQuestion(deletes, { message_ids: ['x9', 'b2', 'y8'] }, [], find)).toBe(
      'Delete 3 emails for good: "Win" from "spam@example.com" and 2 more?',
    )
  })
  test('names documents that are shared by their title, and people by their address', () => {
    const share = {
      ...shareDocument.specification,
      ...tool('docs_share', 'google-docs'),
      confirm: shareDocument.specification.confirm ?? '',
    }
    const made = [
      said('Make a plan.'),
      started,
      ...searched('1', 'docs_create_document', { document_id: 'doc-12345', title: 'Plan' }),
    ]
    const known = new Map([['docs_create_document', tool('docs_create_document', 'google-docs')]])
    const args = { document_id: 'doc-12345', emails: ['ada@example.com'], role: 'writer' }
    expect(approvalQuestion(share, args, ['emails'], findRecords(made, known, share))).toBe(
      'Share the document "Plan" with "ada@example.com", who may change it?',
    )
    expect(approvalQuestion(share, { ...args, document_id: 'doc-67890' }, ['emails'], () => undefined)).toBe(
      'Share a document with "ada@example.com", who may change it?',
    )
  })
  test('says what is done with emails and labels as people say it', () => {
    const { confirm = '', summary = '', button } = gmailEmailActions.specification
    const args = { action: 'delete_forever', message_ids: ['a1', 'b2'] }
    expect(fillTemplate(confirm, { args })).toBe('Delete 2 emails for good?')
    expect(
      fillTemplate(confirm, {
        args: { ...args, action: 'archive' },
        known: recordsIn(confirm, args, find),
      }),
    ).toBe('Archive 2 emails: "Invoice" from "Eve <eve@example.com>", "Win" from "spam@example.com"?')
    expect(buttonFor(english, 'it', { tool: { button }, input: args })).toBe('Delete 2 emails')
    const output = { results: [{ id: 'a1', ok: true }] }
    expect(fillTemplate(summary, { args: { ...args, action: 'mark_read' }, output })).toBe(
      'Marked 1 email as read',
    )
    const labels = gmailManageLabels.specification
    expect(
      fillTemplate(labels.confirm ?? '', {
        args: { action: 'apply', label_name: 'Invoices', message_ids: ['a1'] },
      }),
    ).toBe('Put the label "Invoices" on 1 email?')
    expect(fillTemplate(labels.confirm ?? '', { args: { action: 'list' } })).toBe('List the labels?')
  })
  test('puts the verb on the button', () => {
    const { button } = { button: 'Delete {message_ids#email|emails}' }
    expect(buttonFor(english, 'it', { tool: { button }, input: { message_ids: ['a1', 'b2'] } })).toBe(
      'Delete 2 emails',
    )
    expect(buttonFor(english, 'it', { tool: {} })).toBeUndefined()
  })
})
