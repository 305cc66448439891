import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo } from '../../support/browser.ts'
import { approvals, conversation, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { callTools, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// The cards of an app's own functions speak as its forms do, name what ids stand for, and are told apart by what differs.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const card = (index = 0) => approvals(page).nth(index)
/** Names and values of a card. */
const valuesOf = async (index = 0) => {
  const rows = await card(index).locator('.askback-values > div').allInnerTexts()
  return rows.map((row) => row.replace(/\s+/g, ' '))
}

describe.skipIf(!chromiumPath)('a function of the app', () => {
  beforeAll(async () => {
    await withDatabase(chat.stack, (sql) =>
      sql.unsafe(`
        create table public.orders (id integer primary key, name text not null);
        alter table public.orders enable row level security;
        create policy "all" on public.orders to authenticated using (true);
        grant select on public.orders to authenticated;
        insert into public.orders values (7, 'Red lamp');
        create type public.speed as enum ('slow', 'fast');
        create function public.ship_order(p_order_id integer, speed speed, insured boolean default false) returns void
          language sql as $$ $$;
        create function public.order_name(p_order_id integer) returns table (name text) language sql stable
          as $$ select o.name from public.orders o where o.id = p_order_id $$;
        select askback.offer_function('ship_order', confirm => 'Ship [the order {p_order_id:name}|it]?', button => 'Ship',
          past => 'shipped', summary => 'Shipped order {p_order_id}', seen => 'public.order_name',
          fields => '{"speed": {"title": "How fast", "choices": {"slow": "By land", "fast": "By air"}}}', words => '{"de": {
            "title": "Versenden", "confirm": "[Bestellung {p_order_id:name}|Sie] versenden?", "button": "Versenden",
            "past": "versandt", "summary": "Bestellung {p_order_id} versandt", "fields": {
              "p_order_id": { "title": "Bestellnummer" },
              "speed": { "title": "Versandart", "choices": { "slow": "Langsam", "fast": "Express" } },
              "insured": { "title": "Versichert" } } } }');
        create function public.open_ticket(subject text, body text) returns void language sql as $$ $$;
        select askback.offer_function('open_ticket', confirm => 'Open a ticket?');`),
    )
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      if (last?.role === 'tool') return say('That is done.')
      const said = JSON.stringify(last?.content)
      if (said.includes('Ship'))
        return callTools([['ship_order', { p_order_id: 7, speed: 'fast', insured: true }]])
      return callTools([
        ['open_ticket', { subject: 'Lamp', body: 'It is dark.' }],
        ['open_ticket', { subject: 'Door', body: 'It is open.' }],
      ])
    })
    page = await openDemo(browser, chat.stack.url)
  })

  it('has the words of its forms on its card, and the name beside the id', async () => {
    await write(page, 'Ship it')
    await card().getByText('Ship the order "Red lamp"?').waitFor()
    expect(await valuesOf()).toEqual(['Order id 7 “Red lamp”', 'How fast By air', 'Insured Yes'])
    expect(await findBarriers(page)).toEqual([])
    await card().getByRole('button', { name: 'Ship' }).click()
    await page.getByText('That is done.').waitFor()
    await conversation(page).getByText('Shipped order 7').first().waitFor()

    const german = await browser.open(chat.stack.url, { locale: 'de-DE' })
    await german.getByRole('button', { name: 'Demo ausprobieren' }).click()
    await german.getByRole('textbox', { name: 'Nachricht' }).fill('Ship it')
    await german.getByRole('button', { name: 'Senden', exact: true }).click()
    const asked = german.getByRole('group', { name: 'Freigabe nötig' })
    await asked.getByText('Bestellung „Red lamp“ versenden?').waitFor()
    const rows = await asked.locator('.askback-values > div').allInnerTexts()
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      'Bestellnummer 7 „Red lamp“',
      'Versandart Express',
      'Versichert Ja',
    ])
    await asked.getByRole('button', { name: 'Ablehnen' }).click()
    await german.getByText('Nicht versandt').waitFor()
  })

  it('is no email because it has a subject, and its cards are told apart by what differs', async () => {
    await page.goto(chat.stack.url)
    await write(page, 'Open two tickets')
    await card(1).waitFor()
    expect(await valuesOf()).toEqual(['Subject Lamp', 'Body It is dark.'])
    const headings = await approvals(page).getByRole('heading').allInnerTexts()
    expect(headings).toEqual([
      'Open a ticket? (Subject: Lamp, Body: It is dark.)',
      'Open a ticket? (Subject: Door, Body: It is open.)',
    ])
    const rows = page.locator('.askback-several li')
    await rows.nth(1).getByText('Show all of it').click()
    await rows.nth(1).locator('dd', { hasText: 'It is open.' }).waitFor()
    await card(0).getByRole('button', { name: 'Deny', exact: true }).click()
    // Alone, nothing has to tell it apart.
    await expect.poll(() => approvals(page).getByRole('heading').allInnerTexts()).toContain('Open a ticket?')
  })
})
