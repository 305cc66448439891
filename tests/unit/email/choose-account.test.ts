import { describe, expect, test } from 'vitest'
import { Question } from '../../../shared/engine/core/tool-error.ts'
import { chooseAccount, type MailAccount } from '../../../shared/integrations/email/choose-account.ts'
import type { PermittedTool } from '../../../supabase/functions/chat/turn/catalogue.ts'
import { findSenders } from '../../../supabase/functions/chat/turn/find-senders.ts'

const account = (address: string | undefined, pinned = false): MailAccount => ({ address, pinned })
const [ada, bob] = [account('ada@example.com'), account('Bob@example.com')]

function questionOf(accounts: MailAccount[], from?: string) {
  try {
    chooseAccount(accounts, from)
  } catch (error) {
    if (error instanceof Question) return error.toolError
  }
  return expect.unreachable('there was nothing to ask')
}

describe('the account that a mail comes from', () => {
  test('is the one that `from` names, whatever its case', () => {
    expect(chooseAccount([ada, bob], 'BOB@EXAMPLE.COM')).toBe(bob)
    expect(chooseAccount([account('ada@example.com', true), bob], 'bob@example.com')).toBe(bob)
  })

  test('is the pinned one, or the only one', () => {
    const pinned = account('ada@example.com', true)
    expect(chooseAccount([pinned, bob], undefined)).toBe(pinned)
    expect(chooseAccount([ada], undefined)).toBe(ada)
    expect(chooseAccount([ada, account('ADA@example.com')], undefined)).toBe(ada)
    const nameless = account(undefined)
    expect(chooseAccount([nameless], undefined)).toBe(nameless)
  })

  test('is asked for, where it is open', () => {
    expect(questionOf([ada, bob])).toMatchObject({
      error:
        'Question: Which of your accounts should this email come from: ada@example.com or bob@example.com?',
      resolver: 'user',
      details: { parameter: 'from', allowed: ['ada@example.com', 'bob@example.com'] },
    })
  })

  test('is asked for when `from` is not one of them, even if there is only one', () => {
    for (const accounts of [[ada], [ada, bob], [account('ada@example.com', true), bob]]) {
      const { error, resolver } = questionOf(accounts, 'boss@example.com')
      expect(error).toContain('boss@example.com, because that is not one of your connected accounts')
      expect(resolver).toBe('user')
    }
  })

  test('is named on the card exactly where it will not be asked for', () => {
    const one = (name: string, status: string) => ({
      id: name,
      account: `${name}@example.com`,
      status,
      scopes: null,
    })
    for (const [connections, pinned, named] of [
      [[one('ada', 'connected')], undefined, 'ada@example.com'],
      [[one('ada', 'failed')], undefined, 'ada@example.com'],
      [[one('ada', 'connected'), one('bob', 'failed')], undefined, undefined],
      [[one('ada', 'connected'), one('bob', 'expired')], 'bob', 'bob@example.com'],
      [[one('ada', 'connected'), one('bob', 'disabled')], undefined, 'ada@example.com'],
    ] as const) {
      const tool = { specification: { name: 'send' }, connectionId: pinned, providers: [{ connections }] }
      expect(findSenders([tool as unknown as PermittedTool]).send).toBe(named)
      const usable = connections.filter(({ status }) => status !== 'disabled')
      const accounts = usable
        .map(({ id, account: address }) => account(address, id === pinned))
        .sort((a, b) => Number(b.pinned) - Number(a.pinned))
      const choose = () => chooseAccount(accounts, undefined).address
      if (named) expect(choose()).toBe(named)
      else expect(choose).toThrow()
    }
  })
})
