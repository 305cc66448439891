import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll } from '../../support/browser.ts'
import { approvals, messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { demoScript } from '../../support/demo-script.ts'
import { say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const release: (() => void)[] = []

/** Answers when it is let go. */
async function answerLater() {
  await new Promise<void>((resolve) => release.push(resolve))
  return say('Here is the answer that took its time.')
}

describe.skipIf(!chromiumPath)('the chat in a browser', () => {
  beforeAll(async () => {
    chat.model.use(
      demoScript({
        'Tell me a long story': () =>
          say('Once upon a time there was a very long story that nobody wanted to end. '.repeat(5), {
            hang: true,
            afterChunks: 6,
          }),
        'Think about it': answerLater,
        'Show me a picture': () =>
          say(
            '![tracker](https://evil.example/pixel.png) <img src=x onerror=alert(1)> [a link](https://example.com)',
          ),
      }),
    )
    page = await openDemo(browser, chat.stack.url)
  })

  async function begin(text: string, on = page) {
    await on.getByRole('button', { name: 'New chat' }).click()
    await write(on, text)
  }

  /** While an answer is written, Enter sends nothing. */
  const isOver = (on = page) => on.getByRole('button', { name: 'Send', exact: true }).waitFor()

  /** As on the page of the agents: from now on the tool waits for the user, or does not. */
  async function permit(permission: 'Allowed' | 'Ask first') {
    await page.getByRole('link', { name: 'Agents' }).click()
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('/agent_tool_permissions') && response.request().method() === 'POST',
    )
    await page.getByLabel('Permission for Send email', { exact: true }).selectOption(permission)
    expect((await saved).ok()).toBe(true)
  }

  it('sends a mail that was first called wrongly, and shows both attempts', async () => {
    await chat.stack.inbox.clear()
    await begin('Send an email about the meeting to ada@example.com')
    const corrected = page.getByRole('group', { name: 'Corrected call' })
    await corrected.waitFor()
    await page.getByText('I sent the email “Meeting” to ada@example.com.').waitFor()
    expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
    await corrected.getByRole('button', { expanded: false }).click()
    await corrected.getByText(recipientQuestion).waitFor()
    // What was clicked stays in view.
    expect(
      await corrected
        .getByRole('button', { expanded: true })
        .evaluate((one) => one.getBoundingClientRect().top),
    ).toBeGreaterThan(0)
    expect(await corrected.getByRole('row', { name: /^To/ }).innerText()).toMatch(/–\s+ada@example\.com/)
    expect(new URL(page.url()).pathname).toMatch(/^\/chat\/[a-z0-9]{16}$/)
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('button', { name: /^Meeting/ }).click()
    await page.getByText('this is about the meeting.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('asks by a form, says what is wrong beside the field, and completes the exact call', async () => {
    await chat.stack.inbox.clear()
    await begin('Send an email about the meeting')
    const form = page.getByRole('form', { name: recipientQuestion })
    const field = form.getByRole('textbox', { name: 'Recipient email address' })
    await field.fill('ada@')
    await form.getByRole('button', { name: 'Send answer' }).click()
    await form.getByText('“ada@” isn’t a complete email address. Example: ').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await field.fill('grace@example.com')
    await field.press('Enter')
    await page.getByText(/I sent the email “Meeting” to grace@example.com/).waitFor()
    await form.waitFor({ state: 'detached' })
    expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['grace@example.com']])
  })

  it('keeps a question under its own message while something else is said, and goes on without it', async () => {
    await chat.stack.inbox.clear()
    await begin('Send an email about the meeting')
    const first = page.getByRole('article', { name: 'Answer' }).first()
    const form = first.getByRole('form', { name: recipientQuestion })
    await form.waitFor()
    await write(page, 'Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await form.count()).toBe(1)
    expect(await findBarriers(page)).toEqual([])
    await form.getByRole('button', { name: 'Skip' }).click()
    await first.getByText('This was not done, because you skipped it.').waitFor()
    await form.waitFor({ state: 'detached' })
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('shows what waits for an approval, and sends it once however often it is clicked', async () => {
    await permit('Ask first')
    await chat.stack.inbox.clear()
    await begin('Send an email about the budget to ada@example.com')
    const card = approvals(page)
    await card.getByText('this is about the budget.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await card.getByRole('button', { name: 'Send email' }).dblclick()
    await page.getByText(/I sent the email “Budget”/).waitFor()
    await card.waitFor({ state: 'detached' })
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('sends what was edited in an approval, after it was reloaded', async () => {
    await chat.stack.inbox.clear()
    await begin('Send an email about the trip to ada@example.com')
    const card = approvals(page)
    await card.waitFor()
    await page.reload()
    await card.getByRole('button', { name: 'Edit' }).press('Enter')
    await card.getByRole('button', { name: 'Cancel' }).press('Enter')
    await card.getByRole('button', { name: 'Edit' }).press('Enter')
    await card.getByRole('textbox', { name: 'Subject' }).fill('Our trip')
    await card.getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/I sent the email “Our trip”/).waitFor()
    expect((await chat.stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['Our trip'])
  })

  it('sends nothing that was denied', async () => {
    await chat.stack.inbox.clear()
    await begin('Send an email about the party to ada@example.com')
    const card = approvals(page)
    await card.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Not sent').waitFor()
    await card.waitFor({ state: 'detached' })
    expect(await chat.stack.inbox.messages()).toEqual([])
    await permit('Allowed')
  })

  it('stops, keeps what was written, and answers again', async () => {
    await begin('Tell me a long story')
    await page.getByText('Once upon a time').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    const stopped = page
      .getByRole('article', { name: 'Answer' })
      .filter({ hasText: /Once upon a time.*Stopped\.\s*Nothing was carried out\./s })
    await stopped.waitFor()
    await page.reload()
    await stopped.waitFor()
    await write(page, 'Send an email about the weather to ada@example.com')
    await page.getByText(/I sent the email “Weather”/).waitFor()
  })

  it('goes on after a reload, in two tabs', async () => {
    await begin('Think about it')
    await chat.model.waitForRequest(chat.model.requests.length)
    await page.waitForURL(/\/chat\//)
    await expect.poll(() => release.length).toBe(1)
    await page.reload()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    for (const letGo of release.splice(0)) letGo()
    for (const tab of [page, second]) await tab.getByText('Here is the answer that took its time.').waitFor()
    expect(
      chat.model.requests.filter(({ body }) => JSON.stringify(body).includes('Think about it')),
    ).toHaveLength(1)
    await second.close()
  })

  it('edits a message, and what came after it is replaced', async () => {
    await begin('Send an email about tea to ada@example.com')
    await page.getByText(/I sent the email “Tea”/).waitFor()
    await isOver()
    await page.getByRole('button', { name: 'Edit message' }).click()
    await messageBox(page).fill('Send an email about coffee to ada@example.com')
    await page.keyboard.press('Enter')
    // The first mail of this message has gone: another one is asked about.
    await page
      .getByRole('group', { name: 'Approval needed' })
      .getByRole('button', { name: 'Send email' })
      .click()
    await page.getByText(/I sent the email “Coffee”/).waitFor()
    expect(await page.getByText(/I sent the email “Tea”/).count()).toBe(0)
    // That it has gone is still said, in a line of the new answer.
    const before = page
      .getByRole('article', { name: 'Answer' })
      .getByText('Done earlier: Sent "Tea" to "ada@example.com"', { exact: true })
    await before.waitFor()
    await page.reload()
    await before.waitFor()
    expect(await before.count()).toBe(1)
  })

  it('says what was done in later answers that an edit has cut off', async () => {
    await begin('Hello there')
    await page.getByRole('button', { name: 'Regenerate' }).waitFor()
    await write(page, 'Send an email about pears to ada@example.com')
    await page.getByText(/I sent the email “Pears”/).waitFor()
    await isOver()
    await page.getByRole('button', { name: 'Edit message' }).first().click()
    await messageBox(page).fill('Hello again')
    await page.keyboard.press('Enter')
    await page.getByText('Done earlier: Sent "Pears" to "ada@example.com"', { exact: true }).waitFor()
  })

  it('says of another answer what the one before has done, and of the next one all of it', async () => {
    await begin('Send an email about plums to ada@example.com')
    await page.getByText(/I sent the email “Plums”/).waitFor()
    for (const times of [1, 2]) {
      await page.getByRole('button', { name: 'Regenerate' }).click()
      const card = approvals(page)
      await page.getByText(/^Done earlier: Sent "Plums" to "ada@example.com"/).waitFor()
      await card.getByRole('button', { name: 'Send email' }).click()
      await page.getByText(/I sent the email “Plums”/).waitFor()
      const sent = Array(times).fill('Sent "Plums" to "ada@example.com"').join(' · ')
      await page.getByText(`Done earlier: ${sent}`, { exact: true }).waitFor()
    }
  })

  it('finds, renames and deletes conversations', async () => {
    await begin('Send an email about zebras to ada@example.com')
    await page.getByText(/I sent the email “Zebras”/).waitFor()
    const list = page.getByRole('region', { name: 'Conversations' })
    await list.getByRole('searchbox').fill('zebras')
    await list.getByRole('listitem').getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await list.getByRole('textbox', { name: 'Title' }).fill('All about zebras')
    await page.keyboard.press('Enter')
    const row = page.getByRole('link', { name: 'All about zebras' })
    await row.waitFor()
    await list.getByRole('listitem').filter({ has: row }).getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/')
    await list.getByRole('searchbox').fill('')
  })

  it('loads nothing from outside for the words of a model', async () => {
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(chat.stack.url)) outside.push(request.url())
    })
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    expect(await page.getByRole('link', { name: 'a link' }).getAttribute('rel')).toContain('noreferrer')
    expect(await page.getByRole('log').locator('img').count()).toBe(0)
    expect(outside).toEqual([])
  })

  it('says that nothing answers, and sends it when the connection is back', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.context().setOffline(true)
    await write(page, 'Send an email about the harbour to ada@example.com')
    await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/I sent the email “Harbour”/).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    // The browser itself notes each request that it could not send, and that a chat asked for just after is not there yet.
    expect(browser.complaints().filter(({ status }) => status !== 0 && status !== 404)).toEqual([])
  })

  it('takes a file along: shown after a reload, and mailed as it is', async () => {
    await chat.stack.inbox.clear()
    await permit('Ask first')
    await page.getByRole('button', { name: 'New chat' }).click()
    const bytes = Buffer.from(new Uint8Array(5000).map((_, index) => index % 251))
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const files = [
      { name: 'plan.zip', mimeType: 'application/zip', buffer: bytes },
      { name: 'photo.png', mimeType: 'image/png', buffer: picture },
    ]
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByRole('button', { name: 'Remove plan.zip' }).waitFor()
    await write(page, 'Send an email with the attached files about the plan to ada@example.com')
    // The first call leaves out the recipient; what is approved is the corrected one, with the files by name.
    const approval = approvals(page)
    await approval.getByRole('link', { name: 'plan.zip' }).waitFor()
    await approval.getByRole('link', { name: 'photo.png' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await page.getByRole('log').getByRole('link', { name: 'plan.zip' }).first().waitFor()
    const image = page.getByRole('log').getByRole('img', { name: 'photo.png' })
    await image.waitFor()
    await page.waitForFunction(() => {
      const shown = document.querySelector<HTMLImageElement>('img.askback-file')
      return shown?.complete === true && shown.naturalWidth === 1
    })
    await page
      .getByRole('group', { name: 'Approval needed' })
      .getByRole('button', { name: 'Send email' })
      .click()
    await page.getByText(/I sent the email “Plan”/).waitFor()
    const [mail] = await chat.stack.inbox.messages()
    expect(mail?.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['plan.zip', 'application/zip'],
      ['photo.png', 'image/png'],
    ])
    const arrived = mail?.attachments.map(({ content }) => Buffer.from(content, 'base64')) ?? []
    expect(arrived.map((one, index) => one.equals(index === 0 ? bytes : picture))).toEqual([true, true])
    await permit('Allowed')
  })

  it('edits the files of a message with its words', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await page.locator('input[type=file]').setInputFiles([text('old.txt'), text('both.txt')])
    await page.getByRole('button', { name: 'Remove both.txt' }).waitFor()
    await write(page, 'Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await isOver()
    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.getByRole('button', { name: 'Remove old.txt' }).click()
    await page.locator('input[type=file]').setInputFiles([text('new.txt')])
    await page.getByRole('button', { name: 'Remove new.txt' }).waitFor()
    const answered = page.waitForResponse(/functions\/v1\/chat$/)
    await messageBox(page).fill('Show me a picture again')
    await page.keyboard.press('Enter')
    await (await answered).finished()
    await page.reload()
    const files = page.getByRole('log').getByRole('link', { name: /txt$/ })
    await page.getByRole('log').getByText('Show me a picture again').waitFor()
    expect(await files.allTextContents()).toEqual(['both.txt', 'new.txt'])
  })

  it('keeps what was not sent while its user is elsewhere', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    const message = messageBox(page)
    await message.fill('half a thought')
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect.poll(() => message.inputValue()).toBe('')
    await message.fill('another')
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.goBack()
    await expect.poll(() => message.inputValue()).toBe('another')
    await message.fill('')
    await page.goBack()
    await expect.poll(() => message.inputValue()).toBe('half a thought')
    await message.fill('')
  })

  it('keeps a message that could not be sent while something else waits for an approval', async () => {
    await permit('Ask first')
    await begin('Send an email about lilies to ada@example.com')
    await approvals(page).waitFor()
    await page.context().setOffline(true)
    await messageBox(page).fill('Show me a picture')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
    await page.context().setOffline(false)
    // Somebody who comes back to the page; what waits is looked at again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('[picture: tracker]').waitFor()
    expect(await page.getByRole('article', { name: 'You' }).allInnerTexts()).toEqual([
      expect.stringContaining('lilies'),
      expect.stringContaining('Show me a picture'),
    ])
    await permit('Allowed')
    expect(browser.complaints().filter(({ status }) => status !== 0)).toEqual([])
  })

  it('shows an edited message while an older look at the conversation is still under way', async () => {
    await permit('Ask first')
    await begin('Send an email about irises to ada@example.com')
    await approvals(page).waitFor()
    await page.getByRole('button', { name: 'Edit message' }).click()
    await messageBox(page).fill('Think about it instead')
    let looked: (() => void) | undefined
    const looking = new Promise<void>((begun) => {
      void page.route('**/chat/conversations/*', async (route) => {
        const response = await route.fetch()
        begun()
        await new Promise<void>((resolve) => {
          looked = resolve
        })
        await route.fulfill({ response })
      })
    })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await looking
    await page.keyboard.press('Enter')
    await expect.poll(() => release.length).toBe(1)
    const seen = page.waitForResponse('**/chat/conversations/*')
    looked?.()
    await (await seen).finished()
    await page.unroute('**/chat/conversations/*')
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await page.getByRole('article').allInnerTexts()).toEqual([
      expect.stringContaining('Think about it instead'),
      expect.stringContaining('Here is the answer'),
    ])
    await permit('Allowed')
  })

  it('asks nothing more about what an edited message has replaced', async () => {
    await permit('Ask first')
    await begin('Send an email about roses to ada@example.com')
    const card = approvals(page)
    await card.waitFor()
    await page.getByRole('button', { name: 'Edit message' }).click()
    await messageBox(page).fill('Think about it')
    await page.keyboard.press('Enter')
    await expect.poll(() => release.length).toBe(1)
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    expect(await card.count()).toBe(0)
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
    await permit('Allowed')
  })

  it('answers an earlier message again while a later one is answered', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await write(page, 'Think about it')
    await expect.poll(() => release.length).toBe(1)
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('regenerate-message') === true,
    )
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await (await answered).finished()
    for (const letGo of release.splice(0)) letGo()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    // When it was written is told by what is stored.
    await page.getByRole('article').last().getByRole('time').waitFor()
    const shown = await page.getByRole('article').allInnerTexts()
    await page.reload()
    await page.getByText('[picture: tracker]').waitFor()
    expect(await page.getByRole('article').allInnerTexts()).toEqual(shown)
    expect(shown).toHaveLength(2)
  })

  it('keeps a message that was stopped before it arrived', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const posted = /functions\/v1\/chat$/
    for (const words of ['Show me a picture', 'Show me another picture']) {
      const arrived = new Promise<void>((resolve) => void page.route(posted, () => resolve()))
      await write(page, words)
      await arrived
      const looked = page.waitForResponse('**/chat/conversations/*')
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await (await looked).finished()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await page.getByRole('article', { name: 'You' }).getByText(words, { exact: true }).waitFor()
      await page.unroute(posted)
      await page.getByRole('button', { name: 'Edit message' }).last().click()
      await page.keyboard.press('Enter')
      await page.getByText('[picture: tracker]').last().waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    }
    expect(await page.getByRole('article').count()).toBe(4)
    // The browser itself notes that the conversation was not there yet.
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
  })

  it('says that a conversation could not be loaded, and shows it when it can be', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.route('**/chat/conversations/*', (route) => route.abort())
    await page.goBack()
    await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
    expect(await page.getByText('What can I do for you?').count()).toBe(0)
    await page.unroute('**/chat/conversations/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('[picture: tracker]').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(browser.complaints().filter(({ status }) => status !== 0)).toEqual([])
  })

  it('stops no answer with the Escape that ends an edit or a renaming', async () => {
    await begin('Think about it')
    await expect.poll(() => release.length).toBe(1)
    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('You’re editing an earlier message').waitFor({ state: 'detached' })
    const first = page.getByRole('region', { name: 'Conversations' }).getByRole('listitem').first()
    await first.getByText('Think about it').waitFor()
    await first.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const field = page.getByRole('textbox', { name: 'Title' })
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
  })

  it('leaves the keyboard at the message after an edit, and after another answer', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel)
    for (const end of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Enter'),
    ]) {
      await page.getByRole('button', { name: 'Edit message' }).click()
      await end()
      await page.getByText('You’re editing an earlier message').waitFor({ state: 'detached' })
      await expect.poll(focused).toBe('Message')
    }
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await expect.poll(focused).toBe('Message')
    await page.getByText('[picture: tracker]').waitFor()
  })

  it('names the tab as the conversation was renamed', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await expect.poll(() => page.title()).toMatch(/^(?:\(\d+\) )?Show me a picture · Askback$/)
    // An earlier one may have the same title.
    const opened = page
      .getByRole('region', { name: 'Conversations' })
      .getByRole('listitem')
      .filter({ has: page.locator('[aria-current]') })
    await opened.getByText('Show me a picture').waitFor()
    await opened.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Trackers')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toMatch(/^(?:\(\d+\) )?Trackers · Askback$/)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Options')
  })

  it('shows what another tab has done when it is come back to', async () => {
    await begin('Show me a picture')
    await page.getByText('[picture: tracker]').waitFor()
    await page.waitForURL(/\/chat\//)
    await page.reload()
    await page.getByText('[picture: tracker]').waitFor()
    const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByText('[picture: tracker]').waitFor()
    await write(second, 'Send an email about lakes to ada@example.com')
    await second.getByText(/I sent the email “Lakes”/).waitFor()
    // Else the first tab would follow the rest of it, and look at nothing meanwhile.
    await isOver(second)
    await comeBack()
    await page.getByText(/I sent the email “Lakes”/).waitFor()
    await second
      .getByRole('listitem')
      .filter({ has: second.locator('[aria-current=page]') })
      .getByRole('button', { name: 'Options' })
      .click()
    await second.getByRole('menuitem', { name: 'Delete' }).click()
    await second.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await second.getByText('Conversation deleted.').waitFor()
    await second.close()
    await comeBack()
    await page.getByText('This chat isn’t in your account.').waitFor()
    // The browser itself notes what it did not find.
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
  })

  it('lists a conversation while its first answer is written', async () => {
    await begin('Think about it, and be listed')
    await expect.poll(() => release.length).toBe(1)
    await page.getByRole('link', { name: 'Think about it, and be listed' }).waitFor()
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
  })

  it('goes on with an answer that could not be reached after a reload', async () => {
    await begin('Think about it, out of reach')
    await expect.poll(() => release.length).toBe(1)
    await page.waitForURL(/\/chat\//)
    await page.route('**/stream', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('Connection lost.').waitFor()
    await page.unroute('**/stream')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
    const asked = chat.model.requests.filter(({ body }) => JSON.stringify(body).includes('out of reach'))
    expect(asked).toHaveLength(1)
    expect(browser.complaints().filter(({ status }) => status !== 0)).toEqual([])
  })

  it('offers a message again after a reload whose answer was interrupted before anything of it was stored', async () => {
    await begin('Think about it, and be interrupted')
    await expect.poll(() => release.length).toBe(1)
    await page.waitForURL(/\/chat\//)
    await withDatabase(
      chat.stack,
      (sql) => sql`update askback.runs set status = 'interrupted' where status = 'running'`,
    )
    await page.reload()
    await page.getByRole('alert').getByText('Your last message wasn’t answered.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => release.length).toBe(2)
    for (const letGo of release.splice(0)) letGo()
    await page.getByText('Here is the answer that took its time.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1)
  })

  it('takes nothing new before it is known how a stopped answer ended', async () => {
    await begin('Think about it')
    await expect.poll(() => release.length).toBe(1)
    let stopped: (() => void) | undefined
    await page.route('**/stop', async (route) => {
      const response = await route.fetch()
      await new Promise<void>((resolve) => {
        stopped = resolve
      })
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Edit message' }).click()
    await messageBox(page).fill('Show me a picture')
    await page.keyboard.press('Enter')
    await expect.poll(() => typeof stopped).toBe('function')
    expect(await messageBox(page).inputValue()).toBe('Show me a picture')
    stopped?.()
    await page.getByText(/^Stopped\./).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('[picture: tracker]').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    await page.unroute('**/stop')
    for (const letGo of release.splice(0)) letGo()
  })

  it('takes files that are dropped anywhere, and says why it does not take one', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const drop = (name: string, size: number) =>
      page.evaluate(
        ([name, size]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([new Uint8Array(size as number)], name as string))
          for (const type of ['dragover', 'drop']) {
            document.body.dispatchEvent(
              new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
            )
          }
        },
        [name, size] as const,
      )
    await drop('dropped.txt', 10)
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click()
    await drop('large.bin', 5 * 1024 * 1024 + 1)
    await page.getByText('“large.bin” is larger than 5 MB. Attach a smaller one.').waitFor()
    await drop('empty.txt', 0)
    await page.getByText('“empty.txt” is empty.').waitFor()
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0)
    const files = [5 * 1024 * 1024 + 1, 10].map((size) => ({
      name: `${size}.bin`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(size),
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText(/^“5242881.bin” is larger/).waitFor()
    await page.getByRole('button', { name: 'Remove 10.bin' }).click()
  })

  it('works on a phone', async () => {
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, dark: true })
    expect(await sidewaysScroll(phone)).toBe(0)
    await phone.getByRole('button', { name: 'Try the demo' }).click()
    await write(phone, 'Send an email about the meeting')
    const form = phone.getByRole('form', { name: recipientQuestion })
    await form.getByRole('textbox').fill('ada@example.com')
    expect(await sidewaysScroll(phone)).toBe(0)
    expect(await findBarriers(phone)).toEqual([])
    await form.getByRole('button', { name: 'Send answer' }).click()
    await phone.getByText(/I sent the email “Meeting”/).waitFor()
    await phone.getByRole('button', { name: 'Menu' }).click()
    await phone.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Agents' }).click()
    await phone.getByRole('heading', { name: 'Agents' }).waitFor()
    expect(await sidewaysScroll(phone)).toBe(0)
  })

  it('can be used with the keyboard alone', async () => {
    const keys = await browser.open(chat.stack.url)
    const tabTo = async (name: RegExp | string, role: 'button' | 'textbox' = 'button') => {
      const target = keys.getByRole(role, { name }).first()
      await target.waitFor()
      for (let tabs = 0; tabs < 60; tabs++) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await keys.keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached.`)
    }
    await tabTo('Try the demo')
    await keys.keyboard.press('Enter')
    await tabTo('Message', 'textbox')
    await keys.keyboard.type('Send an email about the meeting')
    await keys.keyboard.press('Enter')
    await tabTo(/^Answering: /)
    await keys.keyboard.press('Enter')
    const field = keys.getByRole('textbox', { name: 'Recipient email address' })
    await field.waitFor()
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    await keys.keyboard.type('ada@example.com')
    await tabTo('Send answer')
    await keys.keyboard.press('Space')
    await keys.getByText(/I sent the email “Meeting”/).waitFor()
  })
})
