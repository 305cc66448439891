import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { unsubscribeToken } from '../../supabase/functions/chat/bell/unsubscribe-token.ts'
import { chromiumPath, findBarriers, openDemo, resize, sidewaysScroll } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { type RingServer, startRingServer } from '../../support/ring-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Emails about what waits are turned on in the account, and off there or by the link in one of them.

const [browser, chat] = useBrowser(() => startChatStack())

describe.skipIf(!chromiumPath)('emails about what waits', () => {
  let mailer: RingServer
  beforeAll(async () => {
    mailer = await startRingServer()
  })
  afterAll(() => mailer?.close())

  const setting = () =>
    withDatabase(
      chat.stack,
      (sql) => sql`select s.minutes from askback.digest_settings s
        join auth.users u on u.id = s.user_id where u.email = 'demo@askback.test'`,
    )

  it('are offered where the project sends them, and end by the button of a page, not by opening its link', async () => {
    const page = await openDemo(browser, chat.stack.url)
    const account = new URL('/settings/account', chat.stack.url).href
    const choice = page.getByRole('combobox', { name: /^Email me/ })
    await page.goto(account)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await choice.count()).toBe(0)

    await withDatabase(
      chat.stack,
      (sql) =>
        sql`insert into askback.on_open (url, secret, digests) values (${mailer.url}, 'a secret', true)`,
    )
    await page.reload()
    await resize(page, { width: 360, height: 640 })
    await choice.selectOption('1 hour')
    await page.getByText('You’ll get an email when something has waited longer than 1 hour.').waitFor()
    expect(await setting()).toEqual([{ minutes: 60 }])
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBe(0)
    await page.reload()
    expect(await choice.inputValue()).toBe('60')

    const [user] = await withDatabase(
      chat.stack,
      (sql) => sql`select id from auth.users where email = 'demo@askback.test'`,
    )
    const { functionSecret } = readKeys(chat.stack.dataDirectory)
    const token = await unsubscribeToken(functionSecret, user?.id)
    const stranger = await browser.open(
      `${chat.stack.url}/functions/v1/chat/digest/unsubscribe?token=${token}`,
    )
    await stranger.getByRole('heading', { name: 'Stop these emails?' }).waitFor()
    expect(await findBarriers(stranger)).toEqual([])
    expect(await setting()).toEqual([{ minutes: 60 }])
    await stranger.getByRole('button', { name: 'Stop the emails' }).click()
    await stranger.getByText('You won’t get any more emails about what waits for you.').waitFor()
    expect(await setting()).not.toEqual([{ minutes: 60 }])
    await page.reload()
    expect(await choice.inputValue()).toBe('')
  })
})
