import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, sidewaysScroll } from '../../support/browser.ts'
import { conversation, dockedCard, messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// On a phone, what is asked and what was done stand whole: the last word often is the one that says it.

const [browser, chat] = useBrowser(() => startChatStack())

const subject = 'The plan for the summer party in the garden'
const asked = `Send "${subject}" to "somebody.with.a.long.name@example.com"?`
const phone = { width: 360, height: 640, touch: true }

async function openPhone(): Promise<Page> {
  const page = await browser.open(chat.stack.url, phone)
  await page.getByRole('button', { name: 'Try the demo' }).tap()
  await messageBox(page).waitFor()
  return page
}

/** Whether the end of a text is what stands there, once it is scrolled to. */
const showsEnd = (place: Locator) =>
  place.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    element.scrollIntoView({ block: 'nearest' })
    const last = [...range.getClientRects()].at(-1)
    if (!last) return false
    const found = document.elementFromPoint(last.right - 2, last.top + last.height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  })

describe.skipIf(!chromiumPath)('told whole', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? say('That is done.')
        : callTool('smtp_send_email', {
            to: ['somebody.with.a.long.name@example.com'],
            subject,
            body: 'Come to us.',
          }),
    )
    await setMailApproval(chat.stack, 'always')
  })

  it('shows the whole question, and the whole result', async () => {
    const page = await openPhone()
    await write(page, 'Invite somebody.with.a.long.name@example.com')
    const card = dockedCard(page)
    const question = card.getByText(asked)
    await question.waitFor()
    const lines = await question.evaluate((one) => one.getClientRects().length)
    expect(lines).toBeGreaterThan(2)
    expect(await showsEnd(question)).toBe(true)
    await card.getByRole('button', { name: 'Send email' }).tap()
    const result = conversation(page).locator('.askback-tool-line .askback-quiet')
    await result.getByText('somebody.with.a.long.name@example.com').waitFor()
    expect(await showsEnd(result)).toBe(true)
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  it('asks nothing any more once it is denied', async () => {
    const page = await openPhone()
    await write(page, 'Invite somebody.with.a.long.name@example.com')
    await dockedCard(page).getByRole('button', { name: 'Deny' }).tap()
    await conversation(page).getByText('That is done.').waitFor()
    await conversation(page)
      .getByText(`Not sent: ${asked.slice(0, -1)}`, { exact: true })
      .waitFor()
    expect(await conversation(page).getByText(asked).filter({ visible: true }).count()).toBe(0)
  })
})
