import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The parts of a chat's page, as its user finds them. */
export const messageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
export const approvals = (page: Page): Locator => page.getByRole('group', { name: 'Approval needed' })
/** On phones, what stands in place of the message box. */
export const dockedCard = (page: Page): Locator => page.getByRole('region', { name: 'Waiting for you' })

/** Writes a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Another tab with this conversation. It is out of sight, and so does not see what becomes of it. */
export async function openBehind(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
  await tab.goto(page.url())
  return tab
}

/**
 * Presses a key until it was taken: where the page has led to or has only just shown what would be pressed, it takes none
 * for half a second.
 */
export async function pressUntil(press: () => Promise<void>, isTaken: () => Promise<boolean>): Promise<void> {
  const attempt = async () => {
    if (await isTaken()) return true
    await press()
    // A busy machine shows late what it has taken: pressed again too soon, the next card would be decided as well.
    return expect
      .poll(isTaken, { timeout: 5_000 })
      .toBe(true)
      .then(
        () => true,
        () => false,
      )
  }
  await expect.poll(attempt, { interval: 700 }).toBe(true)
}

/** Whether a press in the middle of an element would reach it. */
export function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

/** Of a card, the controls that something else would take the press of, wherever it is scrolled to. */
export async function covered(card: Locator): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  for (const control of await card
    .locator('button:visible, summary:visible, a:visible, input:visible')
    .all()) {
    await control.evaluate((element) => element.scrollIntoView({ block: 'nearest' }))
    if (!(await control.evaluate(isOnTop))) found.push(await control.evaluate(({ outerHTML }) => outerHTML))
  }
  return found
}
