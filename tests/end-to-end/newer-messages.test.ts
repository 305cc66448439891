import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { conversation, messageBox, openBehind, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// A tab that has not seen what another one has said: what it would replace stays, and so do its own words.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page
let behind: Page

const refusal = 'This would replace newer messages that were not shown here yet.'
const press = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).first().click()
const sentence = (tab: Page) => tab.getByRole('status', { name: 'Notes' }).getByText(refusal)

/** What is said in the conversation as a tab shows it. */
const said = (tab: Page) => conversation(tab).locator('.askback-text').allInnerTexts()

describe.skipIf(!chromiumPath)('a tab that has not seen newer messages', () => {
  beforeAll(async () => {
    page = await openDemo(browser, chat.stack.url)
  })
  beforeEach(async () => {
    chat.model.use(['Good day.', 'Noted.', 'Good morning to you.'].map((text) => say(text)))
    await page.getByRole('button', { name: 'New chat' }).click()
    await write(page, 'Hello')
    await page.getByText('Good day.').waitFor()
    behind = await openBehind(page)
    await behind.getByText('Good day.').waitFor()
    await write(page, 'Remember the milk')
    await page.getByText('Noted.').waitFor()
  })
  afterEach(async () => {
    await behind.close()
    expect(browser.complaints().filter(({ status }) => status !== 409 && status !== 503)).toEqual([])
  })

  const all = ['Hello', 'Good day.', 'Remember the milk', 'Noted.']

  async function edit(words: string) {
    await press(behind, 'Edit message')
    await write(behind, words)
  }

  it('replaces none with an edit: it shows them, with the edit in the message box, and sends it when asked again', async () => {
    await edit('Good morning')
    await sentence(behind).waitFor()
    await behind.getByText('Noted.').waitFor()
    expect(await said(behind)).toEqual(all)
    expect(await messageBox(behind).inputValue()).toBe('Good morning')
    await behind.getByText('You’re editing an earlier message').waitFor()
    // Also after a reload.
    await behind.reload()
    await behind.getByText('Noted.').waitFor()
    await expect.poll(() => messageBox(behind).inputValue()).toBe('Good morning')
    await press(behind, 'Send')
    await behind.getByText('Good morning to you.').waitFor()
    expect(await said(behind)).toEqual(['Good morning', 'Good morning to you.'])
  })

  it('replaces none with another answer: it shows them', async () => {
    await press(behind, 'Regenerate')
    await sentence(behind).waitFor()
    await behind.getByText('Noted.').waitFor()
    expect(await said(behind)).toEqual(all)
    await page.reload()
    await page.getByText('Noted.').waitFor()
    expect(await said(page)).toEqual(all)
  })

  it('replaces none with an edit that arrives at the second try', async () => {
    await behind.route('**/functions/v1/chat', (route) => route.fulfill({ status: 503, body: '' }), {
      times: 1,
    })
    await edit('Good morning')
    await press(behind, 'Try again')
    await sentence(behind).waitFor()
    await behind.getByText('Noted.').waitFor()
    expect(await said(behind)).toEqual(all)
    expect(await messageBox(behind).inputValue()).toBe('Good morning')
  })
})
