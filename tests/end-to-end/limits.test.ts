import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

describe.skipIf(!chromiumPath)('limits in a browser', () => {
  beforeAll(async () => {
    chat.model.use(() => say('All right.'))
    page = await openDemo(browser, chat.stack.url)
  })

  it('are changed by an operator, with a reason, and hold from the next message on', async () => {
    await page.getByRole('link', { name: 'Insights' }).click()
    const limits = page.getByRole('region', { name: 'Limits' })
    const name = 'Change: Model calls per user per hour'
    await limits.getByRole('button', { name }).click()
    const form = limits.getByRole('form', { name })
    await form.getByLabel('New limit').fill('0')
    await form.getByRole('button', { name: 'Set limit' }).click()
    await form.getByRole('alert').getByText('Enter a reason. It will be logged.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await form.getByLabel('Why?').fill('The month is over.')
    await form.getByRole('button', { name: 'Set limit' }).click()
    await form.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const wait = page.getByRole('log', { name: 'Conversation' }).getByText('You’ve used this hour’s budget.')
    await wait.waitFor()
    expect(await wait.innerText()).toMatch(
      /It continues on .+\. To continue sooner, ask your administrator\./,
    )
    expect(chat.model.requests).toHaveLength(0)
    expect(browser.complaints()).toEqual([])
  })
})
