import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, resize, sidewaysScroll } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page
const row = () => page.getByRole('region', { name: 'Your schedules' }).getByRole('listitem').first()
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

describe.skipIf(!chromiumPath)('schedules in a browser', () => {
  beforeAll(async () => {
    chat.model.use(() => say('Nothing is new.'))
    page = await openDemo(browser, chat.stack.url)
    await page.getByRole('link', { name: 'Schedules' }).click()
    await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor()
  })

  it('says what is missing, then makes one, and shows when it is due next', async () => {
    await press('Create schedule')
    await page.getByText('Say what the agent should do.').waitFor()
    await page.getByRole('textbox', { name: 'What should the agent do?' }).fill('What is new?')
    await page.getByLabel('Repeats').selectOption('weekly')
    await page.getByLabel('Day of the week').selectOption('1')
    await page.getByLabel('Time', { exact: true }).fill('07:30')
    await press('Create schedule')
    await row()
      .getByText(/Next: Monday/)
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'What should the agent do?' }).inputValue()).toBe('')
    expect(await findBarriers(page)).toEqual([])
  })

  it('runs it now, and leads to its conversation', async () => {
    await press('Run now: What is new?')
    await row().getByRole('link', { name: 'Conversation of: What is new?' }).click()
    await page.getByText('Nothing is new.').waitFor()
    await page.getByRole('link', { name: 'Schedules' }).click()
    await row().getByText('History').click()
    await row().getByText(/Done/).first().waitFor()
  })

  it('pauses it, resumes it, and deletes it once that was confirmed', async () => {
    await press('Pause: What is new?')
    await row()
      .getByText(/Paused/)
      .waitFor()
    await press('Resume: What is new?')
    await row()
      .getByText(/Next: Monday/)
      .waitFor()
    await press('Delete: What is new?')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No schedules yet.').waitFor()
  })

  it('says why a cron expression of one’s own does not count, and keeps what was entered', async () => {
    const message = page.getByRole('textbox', { name: 'What should the agent do?' })
    await message.fill('Tidy up')
    await page.getByLabel('Repeats').selectOption('custom')
    await page.getByRole('textbox', { name: 'Cron expression' }).fill('0 9 31 2 *')
    await press('Create schedule')
    await page
      .getByRole('alert')
      .getByText(/0 9 31 2 \*.? would never be due/)
      .waitFor()
    expect(await message.inputValue()).toBe('Tidy up')
    browser.complaints()
  })

  it('fits a phone', async () => {
    await resize(page, { width: 360, height: 640 })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })
})
