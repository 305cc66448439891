import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { english } from '../../client/labels/en.ts'
import { describeFailure } from '../../client/labels/failure.ts'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { approvals, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { slowDown } from '../../support/slow-rpc.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Whoever sees a card can press it.

const [browser, chat] = useBrowser(() => startChatStack())
let admin: postgres.Sql
let page: Page

const call = callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' })
const approve = () => approvals(page).getByRole('button', { name: 'Send email' })
const mails = () => chat.stack.inbox.messages()

describe.skipIf(!chromiumPath)('a card in the app', () => {
  beforeAll(async () => {
    admin = postgres(chat.stack.adminUrl, { onnotice: () => {} })
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  afterAll(async () => {
    await admin?.end()
  })
  beforeEach(async () => {
    await chat.stack.inbox.clear()
    chat.model.use([call, say('It is sent.')])
    await page.getByRole('button', { name: 'New chat' }).click()
  })

  it('that is pressed the moment it appears is carried out, though it is stored 1.5 s late', async () => {
    const { id } = await signInDemo(chat.stack)
    const endSlowness = await slowDown(admin, { name: 'finish_run', userId: id, seconds: 1.5 })
    try {
      // No person is faster, and no test from outside the page.
      await page.evaluate(() => {
        new MutationObserver((_, observer) => {
          const button = document.querySelector<HTMLElement>('.askback-approval .askback-primary')
          if (!button) return
          observer.disconnect()
          button.click()
        }).observe(document.body, { childList: true, subtree: true })
      })
      await write(page, 'Say hello to ada@example.com')
      await page.getByText('It is sent.').waitFor()
      await approvals(page).waitFor({ state: 'detached' })
      expect(await mails()).toHaveLength(1)
    } finally {
      await endSlowness()
    }
  })

  it('can be pressed again after another answer has taken too long, and says so', async () => {
    await write(page, 'Say hello to ada@example.com')
    await approve().waitFor()
    const error = { code: 'conversation_busy', message: 'Another answer is still being written here.' }
    await page.route('**/approval', (route) => route.fulfill({ status: 503, json: { error } }))
    await approve().click()
    await approvals(page).getByRole('alert').getByText(describeFailure(error, english)).waitFor()
    expect(await mails()).toHaveLength(0)
    expect(browser.complaints()).toMatchObject([{ status: 503 }])
    await page.unroute('**/approval')
    await approve().click()
    await page.getByText('It is sent.').waitFor()
    expect(await mails()).toHaveLength(1)
  })
})
