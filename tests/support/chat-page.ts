import type { Locator, Page } from 'playwright-core'

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
