import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Times, numbers, addresses and long outputs, as people read and write them where they are.

const [browser, chat] = useBrowser(() => startChatStack())
/** Of somebody in Berlin whose browser is German, and of somebody there whose browser is English. */
let german: Page
let english: Page

const visits = () =>
  withDatabase(
    chat.stack,
    (sql) => sql<{ startsAt: string; hours: number }[]>`
      select to_json(starts_at at time zone 'UTC') #>> '{}' as "startsAt", hours::float as hours
      from public.visits order by number`,
  )

describe.skipIf(!chromiumPath)('what is read and typed', () => {
  beforeAll(async () => {
    await withDatabase(chat.stack, (sql) =>
      sql.unsafe(`
        create table public.visits (number serial, starts_at timestamptz, hours numeric);
        grant insert on public.visits to authenticated;
        grant usage on sequence public.visits_number_seq to authenticated;
        create function public.plan_visit(starts_at timestamptz, hours double precision) returns text
          language sql begin atomic
            insert into public.visits (starts_at, hours) values (starts_at, hours) returning 'Planned.';
          end;
        create function public.list_lines() returns text language sql stable
          begin atomic select repeat(E'A line of a long output.\\n', 90000); end;
        select askback.offer_function('plan_visit', title => 'Plan a visit', confirm => 'Plan a visit?', approval => 'always');
        select askback.offer_function('list_lines', title => 'List lines')`),
    )
    chat.model.use(({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? say('That is done.')
        : callTool('plan_visit', { starts_at: '2026-07-01T09:00:30Z', hours: 2.5 }),
    )
    const open = async (locale: string) => {
      const page = await browser.open(chat.stack.url, { locale, timezoneId: 'Europe/Berlin' })
      // Whatever it is called in that language.
      await page.locator('.door button.primary').first().click()
      await page.locator('.askback-composer textarea').waitFor()
      return page
    }
    german = await open('de-DE')
    english = await open('en-GB')
  })

  /** The form of a tool that is tried by hand. */
  async function tryTool(page: Page, title: string) {
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('button', { name: new RegExp(`^Try it\\s?: ${title}$`) }).click()
    return page.getByRole('form', { name: `Try ${title}` })
  }

  it('shows a moment in the zone of its reader, and gives back the one it was given', async () => {
    await german.locator('.askback-composer textarea').fill('Plan a visit')
    await german.keyboard.press('Enter')
    const card = german.locator('.askback-approval')
    await card.getByText('01.07.2026, 11:00:30').waitFor()
    await card.locator('.askback-decision button').nth(1).click()
    const at = card.getByLabel('Starts at')
    expect(await at.inputValue()).toBe('2026-07-01T11:00')
    const hours = card.getByLabel('Hours')
    expect(await hours.inputValue()).toBe('2,5')
    await hours.fill('1,5')
    await at.fill('2026-07-01T12:00')
    await at.fill('2026-07-01T11:00')
    await card.locator('.askback-primary').click()
    await german.getByText('That is done.').waitFor()
    expect(await visits()).toEqual([{ startsAt: '2026-07-01T09:00:30', hours: 1.5 }])
  })

  it('reads a number as the language of the browser writes it, and says what is wrong with another', async () => {
    const form = await tryTool(english, 'Plan a visit')
    await form.getByLabel('Starts at').fill('2026-07-01T11:00')
    await form.getByLabel('Hours').fill('1,5')
    await form.getByRole('button', { name: 'Do it …' }).click()
    await form.getByText('“1,5” isn’t a valid number. Example: 1,234.5.').waitFor()
    expect(await findBarriers(english)).toEqual([])
    await form.getByLabel('Hours').fill('1.5')
    await form.getByRole('button', { name: 'Do it …' }).click()
    await english.getByRole('button', { name: 'Yes, run it now' }).click()
    await english.getByText('Planned.').waitFor()
    expect((await visits()).at(-1)).toEqual({ startsAt: '2026-07-01T09:00:00', hours: 1.5 })
  })

  it('takes a name with a comma in it and its address for one recipient', async () => {
    await chat.stack.inbox.clear()
    const form = await tryTool(english, 'Send email')
    await form
      .getByRole('textbox', { name: 'Recipient email address', exact: true })
      .fill('"Lovelace, Ada" <ada@example.com>, Grace Hopper <grace@example.com>')
    await form.getByRole('textbox', { name: 'Subject line' }).fill('Lunch')
    await form.getByRole('textbox', { name: 'Text of the email', exact: true }).fill('At one?')
    await form.getByRole('button', { name: 'Do it …' }).click()
    await english.getByRole('button', { name: 'Yes, run it now' }).click()
    await expect
      .poll(async () => (await chat.stack.inbox.messages()).map(({ to }) => to))
      .toEqual([['ada@example.com', 'grace@example.com']])
  })

  it('unfolds a long output in steps', async () => {
    const form = await tryTool(english, 'List lines')
    await form.getByRole('button', { name: 'Run' }).click()
    const output = english.locator('.askback-output')
    const more = output.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    const length = () => output.innerText().then((text) => text.length)
    const before = await length()
    expect(before).toBeLessThan(10_000)
    await more.focus()
    await english.keyboard.press('Enter')
    await expect.poll(length).toBeGreaterThan(before)
    expect(await length()).toBeLessThan(50_000)
    // It can be pressed again where it has gone to.
    expect(await more.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await findBarriers(english)).toEqual([])
  })
})
