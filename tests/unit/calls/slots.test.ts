import { describe, expect, test } from 'vitest'
import { argsOf, errorOf, prepare, problemsOf, sendEmail, tool } from './fixture.ts'

const shown = new Set(['<recipient email address>', '<one of: low, normal, high>'])
const mail = { to: ['ann@example.com'], subject: 'Meeting', body: 'A long text. '.repeat(30) }

describe('slots are no values', () => {
  test('"<as sent>" means the earlier value of the same place', () => {
    const prepared = prepare(sendEmail, { ...mail, body: '<as sent>' }, { slots: { kept: mail, shown } })
    expect(argsOf(prepared)).toEqual(mail)
    expect(prepared.ok && prepared.repairs).toEqual([{ path: 'body', rule: 'as-sent' }])
  })

  test('"<as sent>" with nothing kept is missing', () => {
    expect(problemsOf(prepare(sendEmail, { ...mail, body: '<as sent>' }))).toContain('missing_parameter body')
    const prepared = prepare(
      sendEmail,
      { ...mail, subject: '<as sent>' },
      { slots: { kept: { body: 'x' }, shown } },
    )
    expect(problemsOf(prepared)).toContain('missing_parameter subject')
  })

  test('a slot text that was shown is missing, never sent', () => {
    const prepared = prepare(sendEmail, { ...mail, to: '<recipient email address>' }, { slots: { shown } })
    expect(problemsOf(prepared)).toEqual(['missing_parameter to'])
  })

  test('a list does not silently get shorter', () => {
    const prepared = prepare(
      sendEmail,
      { ...mail, to: ['ann@example.com', '<recipient email address>'] },
      { slots: { shown } },
    )
    expect(errorOf(prepared).details.parameter).toBe('to[1]')
    expect(errorOf(prepared).details.correction?.open).toEqual(['to[1]'])
  })

  test('a list of anything does not send an empty place either', () => {
    const any = tool('any', { list: { type: 'array' } })
    const prepared = prepare(any, { list: ['a', '<x>'] }, { slots: { shown: new Set(['<x>']) } })
    expect(problemsOf(prepared)).toEqual(['missing_parameter list[1]'])
  })

  test('an optional parameter left as a slot is asked for again: a filter must not be dropped', () => {
    const prepared = prepare(
      sendEmail,
      { ...mail, importance: '<one of: low, normal, high>' },
      { slots: { shown } },
    )
    expect(problemsOf(prepared)).toEqual(['missing_parameter importance'])
    expect(errorOf(prepared).details.correction?.open).toEqual(['importance'])
  })

  test('other angle brackets are plain text', () => {
    const body = '<b>Hello</b> <not a slot>'
    expect(argsOf(prepare(sendEmail, { ...mail, body }, { slots: { shown } })).body).toBe(body)
  })

  test('a text that cannot be run keeps no slot as a value either', () => {
    const cut = `{"to": ["ann@example.com"], "subject": "<one of: low, normal, high>", "body": "<as sent>", "cc`
    const { correction } = errorOf(prepare(sendEmail, cut, { slots: { kept: mail, shown } })).details
    expect(correction?.arguments.body).toBe(mail.body)
    expect(correction?.open).toContain('subject')
  })
})
