import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, resize } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-reply.ts'
import { storeConversations } from '../../support/stored-conversations.ts'
import { useBrowser } from '../../support/use-browser.ts'

// On phones, Back closes what lies over a page, and then leads to the page before, at one press each.

const phone = { width: 360, height: 740 }

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const heading = () => page.getByRole('heading', { level: 1 })
const drawer = () => page.getByRole('dialog', { name: 'Menu' })
const talk = (number: number) => drawer().getByRole('link', { name: `Talk number ${number}`, exact: true })
const path = () => new URL(page.url()).pathname
const isGone = (what = drawer()) => what.waitFor({ state: 'detached' })

async function openDrawer() {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await drawer().waitFor()
}

/** Where one press of Back leads, from a page with nothing over it. */
async function expectBefore(before: string) {
  // Nobody is so quick that the browser has not yet left the entry of what was closed.
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull()
  await page.goBack()
  await expect.poll(path).toBe(before)
}

describe.skipIf(!chromiumPath)('going back on a phone', () => {
  beforeAll(async () => {
    chat.model.use(() => say('Here you are.'))
    await storeConversations(chat.stack, 3)
    page = await openDemo(browser, chat.stack.url)
  })
  // Every test begins at a conversation, with the agents before it.
  beforeEach(async () => {
    await resize(page, phone)
    await page.goto(`${chat.stack.url}/agents`)
    await openDrawer()
    await talk(1).click()
    await page.getByText('What about number 1?').waitFor()
  })

  it('closes the drawer and stays, and the next press leads to the page before', async () => {
    await openDrawer()
    expect(await findBarriers(page)).toEqual([])
    await page.goBack()
    await isGone()
    expect(path()).toBe('/chat/talk-1')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Menu')
    // Nothing is left to go forward to.
    await page.evaluate(
      () =>
        new Promise((gone) => {
          addEventListener('popstate', gone, { once: true })
          history.forward()
        }),
    )
    await expect.poll(() => page.evaluate(() => history.state)).toBeNull()
    await openDrawer()
    await page.goBack()
    await isGone()
    await expectBefore('/agents')
  })

  it('costs no second press after the drawer was closed in another way', async () => {
    await openDrawer()
    await drawer().getByRole('button', { name: 'Close menu' }).click()
    await isGone()
    await openDrawer()
    await page.keyboard.press('Escape')
    await isGone()
    await openDrawer()
    await page.mouse.click(355, 700)
    await isGone()
    await expectBefore('/agents')
  })

  it('leads from what was chosen in the drawer to the page where it was opened', async () => {
    await openDrawer()
    await talk(2).click()
    await page.getByText('What about number 2?').waitFor()
    await isGone()
    await openDrawer()
    await drawer().getByRole('button', { name: 'New chat' }).click()
    await isGone()
    expect(path()).toBe('/')
    await expectBefore('/chat/talk-2')
    await isGone()
    await expectBefore('/chat/talk-1')
    await expectBefore('/agents')
  })

  it('closes the drawer where the page that is shown is chosen, and leaves no second entry of it', async () => {
    await openDrawer()
    await talk(1).click()
    await isGone()
    await expectBefore('/agents')
  })

  it('costs no second press after a reload with the drawer open, or after a wider window', async () => {
    await openDrawer()
    await page.reload()
    await page.getByText('What about number 1?').waitFor()
    await isGone()
    await openDrawer()
    await resize(page, { width: 1280, height: 800 })
    await isGone()
    await resize(page, phone)
    await page.getByRole('button', { name: 'Menu', exact: true }).waitFor()
    expect(await drawer().count()).toBe(0)
    await expectBefore('/agents')
  })

  it('closes a menu and a dialog in the drawer before the drawer itself', async () => {
    await openDrawer()
    const row = drawer()
      .getByRole('listitem')
      .filter({ hasText: /^Talk number 3$/ })
    const menu = page.getByRole('menu')
    await row.getByRole('button', { name: 'Options' }).click()
    await menu.waitFor()
    await page.goBack()
    await isGone(menu)
    await row.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await page.goBack()
    await isGone(question)
    expect(await talk(3).count()).toBe(1)
    await page.goBack()
    await isGone()
    expect(path()).toBe('/chat/talk-1')
    await expectBefore('/agents')
  })

  it('closes the question whether to delete an agent', async () => {
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('button', { name: 'Delete agent' }).click()
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await page.goBack()
    await isGone(question)
    await heading().getByText('Agents').waitFor()
    await expectBefore('/chat/talk-1')
  })

  it('is not changed by dialogs on a desktop', async () => {
    await resize(page, { width: 1280, height: 800 })
    const before = await page.evaluate(() => history.length)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Control+/')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(() => history.length)).toBe(before)
    await page.keyboard.press('Escape')
  })
})
