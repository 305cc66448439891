import { describe, expect, test } from 'vitest'
import type { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { readSmtpAccount } from '../../../supabase/functions/smtp-api/account.ts'
import { mailServerOf } from '../../../supabase/functions/smtp-api/presets.ts'

const account = (values: Record<string, unknown>) =>
  readSmtpAccount({ user: 'ada@gmail.com', password: 'x', ...values })

describe('the mail server of a connection', () => {
  test('is known for the common providers', () => {
    expect(account({})).toMatchObject({ host: 'smtp.gmail.com', port: 465, security: 'implicit' })
    expect(account({ user: 'Ada@Hotmail.COM' })).toMatchObject({
      host: 'smtp-mail.outlook.com',
      port: 587,
      security: 'starttls',
    })
    expect(mailServerOf('example.com')).toBeUndefined()
  })

  test('is the one that was entered, where there is one', () => {
    expect(account({ host: 'mail.example.com' })).toMatchObject({ host: 'mail.example.com', port: 465 })
    expect(account({ user: 'ada@hotmail.com', host: 'mail.example.com' })).toMatchObject({ port: 465 })
    expect(account({ port: 2525 })).toMatchObject({ host: 'smtp.gmail.com', port: 2525 })
  })

  test.each([
    [
      { user: 'ada@example.com' },
      'the mail server for "ada@example.com" is not known, so enter its name, such as smtp.example.com',
      'host',
    ],
    [
      { user: 'ada', host: 'mail.example.com' },
      'the user name "ada" is not an email address, so enter a sender, such as ada@example.com',
      'from',
    ],
  ])('is asked for, where it is not known, and so is the sender: %j', (values, fault, parameter) => {
    const error = (() => {
      try {
        account(values)
      } catch (cause) {
        return (cause as ToolCallError).toolError
      }
    })()
    expect(error).toMatchObject({ errorType: 'not_configured', resolver: 'user', details: { parameter } })
    expect(error?.error).toContain(`integration settings: ${fault}.`)
  })
})
