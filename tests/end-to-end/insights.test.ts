import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll } from '../../support/browser.ts'
import { approvals, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../../support/chat-user.ts'
import { demoScript } from '../../support/demo-script.ts'
import { gate } from '../../support/gate.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page
/** As the address of the chat names it. */
let conversationId: string

describe.skipIf(!chromiumPath)('insights and agents in a browser', () => {
  beforeAll(async () => {
    chat.model.use(demoScript({}))
    page = await openDemo(browser, chat.stack.url)
  })

  const open = (name: string, on = page) => on.getByRole('link', { name }).click()
  it('keeps what was thought of an answer over a reload, and counts it', async () => {
    await write(page, 'Send an email about the meeting to ada@example.com')
    await page.getByText('I sent the email “Meeting” to ada@example.com.').waitFor()
    conversationId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const stored = page.waitForResponse((response) => response.url().endsWith('/feedback'))
    await page.getByRole('button', { name: 'Bad answer' }).click()
    expect((await stored).ok()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Good answer', pressed: false }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await open('Insights')
    await expectFigure('Bad answers', '1')
    await expectFigure('Good answers', '0')
    await expectFigure('Recovered after an error', '100%')
    const figure = page.getByRole('figure').filter({ hasText: 'Success by attempt' })
    await figure.getByRole('img', { name: /^Success by attempt/ }).waitFor()
    await figure.getByText('As a table').click()
    await figure.getByRole('row', { name: 'Attempt 2 1 0' }).waitFor()
    await page.getByRole('button', { name: '7 days' }).click()
    await page.getByRole('button', { name: '7 days', pressed: true }).waitFor()
    await expectFigure('Bad answers', '1')
  })

  async function expectFigure(name: string, value: string) {
    const term = page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })
    await page.locator('.figure').filter({ has: term }).getByText(value, { exact: true }).waitFor()
  }

  it('shows an operator figures over all users when they ask for them, for the days chosen', async () => {
    const area = page.getByRole('region', { name: 'All users' })
    expect(await area.locator('.figure').count()).toBe(0)
    await area.getByRole('button', { name: 'Show figures' }).click()
    const figure = (name: string) =>
      area.locator('.figure').filter({ has: page.getByRole('term').filter({ hasText: name }) })
    await figure('Active users').getByText('1', { exact: true }).waitFor()
    await figure('Retries per call').getByText('1', { exact: true }).waitFor()
    await area.getByText('By tool', { exact: true }).click()
    await area.getByRole('row', { name: /^Send email 1 100% 1 / }).waitFor()
    await area.getByText('Cost by model').click()
    await area.getByRole('row', { name: /^any\/scripted-model 3 / }).waitFor()
    await area.getByText('What models read').click()
    await area.getByRole('row', { name: /^any\/scripted-model not known – \d+ 0$/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const read = () => chat.stack.output().match(/"action":"read_insights".*/g) ?? []
    await expect.poll(read).toHaveLength(1)
    await page.getByRole('button', { name: '30 days' }).click()
    await expect.poll(read).toHaveLength(2)
    expect(read()[1]).toContain('"days":30')
  })

  it('shows an operator what happened in a run, and nothing of what was said', async () => {
    const area = page.getByRole('region', { name: 'For operators' })
    await area
      .getByText('All runs: events and times, never content. Everything you view or change is logged.')
      .waitFor()
    // Here the test is the clock, and it has not called yet.
    await area.getByText('The clock has never run, so nothing that waits continues.').waitFor()
    await withDatabase(chat.stack, (sql) => sql`select askback.take_due_runs(20)`)
    await page.reload()
    await area.getByText(/^The clock last called: .+\.$/).waitFor()
    await area.getByLabel('Run or conversation ID').fill(conversationId)
    await area.getByRole('button', { name: 'Find', exact: true }).click()
    await area.getByRole('button', { name: 'Timeline' }).click()
    const timeline = area.getByRole('list', { name: /^Timeline of run/ })
    await timeline.getByText('Send email, attempt 2').waitFor()
    const words = await timeline.innerText()
    expect(words).toMatch(/The user wrote[\s\S]*Rejected: Missing parameter[\s\S]*Done[\s\S]*The run ended/)
    expect(words).not.toMatch(/ada@example|eeting/)
    await area.getByRole('button', { name: 'Look for stuck runs' }).click()
    await area.getByText('Nothing is stuck.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const lines = () => chat.stack.output().match(/\{"event":"operator".*\}/g) ?? []
    await expect
      .poll(() =>
        lines()
          .slice(-3)
          .map((line) => JSON.parse(line).action),
      )
      .toEqual(['find_runs', 'read_run', 'list_stuck'])
  })

  it('shows no run of an earlier search beside the failure of another one', async () => {
    await open('Insights')
    const find = page.getByRole('region', { name: 'Find a run' })
    const sought = find.getByLabel('Run or conversation ID')
    await sought.fill(conversationId)
    await find.getByRole('button', { name: 'Find' }).click()
    await find.getByRole('listitem').first().waitFor()
    await page.route('**/chat/operator/runs?*', (route) => route.abort())
    await sought.fill('another')
    await find.getByRole('button', { name: 'Find' }).click()
    await find.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await expect.poll(() => find.getByRole('listitem').count()).toBe(0)
    await page.unroute('**/chat/operator/runs?*')
    // What the browser itself notes.
    browser.complaints()
  })

  it('shows what has all of its answers: nothing moves away from a press', async () => {
    const figures = gate()
    await page.route('**/rpc/insights*', async (route) => {
      await figures.opened
      await route.continue()
    })
    const tools = gate()
    await page.route('**/chat/operator/tools', async (route) => {
      await tools.opened
      await route.continue()
    })
    const answerTo = (path: string) => page.waitForResponse((response) => response.url().endsWith(path))
    const told = answerTo('/chat/operator')
    await page.goto(`${chat.stack.url}/insights`)
    await (await told).finished()
    const area = page.getByRole('region', { name: 'For operators' })
    expect(await findBarriers(page)).toEqual([])
    expect(await area.count()).toBe(0)
    const limits = answerTo('/chat/operator/limits')
    figures.open()
    await area.waitFor()
    expect(await page.getByRole('img', { name: /^Success by attempt/ }).count()).toBe(1)
    await (await limits).finished()
    const change = area.getByRole('button', { name: /^Change: / })
    expect(await findBarriers(page)).toEqual([])
    expect(await change.count()).toBe(0)
    tools.open()
    await change.first().waitFor()
    await page.unrouteAll()
  })

  it('offers a tool that is switched off to no model, until it is switched on again', async () => {
    const tools = page.getByRole('region', { name: 'Tools for everybody' })
    const change = async (action: 'off' | 'on') => {
      await open('Insights')
      await tools.getByRole('button', { name: `Switch ${action} Send email`, exact: true }).click()
      const form = tools.getByRole('form', { name: `Switch ${action} Send email`, exact: true })
      await form.getByRole('button', { name: /^Switch/ }).click()
      await form.getByText('Enter a reason').waitFor()
      await form.getByRole('textbox', { name: 'Why?' }).fill('The mail server is being moved.')
      await form.getByRole('button', { name: /^Switch/ }).click()
      await form.waitFor({ state: 'detached' })
    }
    await change('off')
    await tools.getByText('Off for everybody: The mail server is being moved.').waitFor()
    await open('Agents')
    await page.getByText('Switched off for everybody: The mail server is being moved.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await chat.stack.inbox.clear()
    const before = chat.model.requests.length
    await page.getByRole('button', { name: 'New chat' }).click()
    await write(page, 'Send an email about lunch to ada@example.com')
    await page.getByRole('button', { name: 'Good answer' }).waitFor()
    const offered = chat.model.requests.slice(before).map(({ body }) => JSON.stringify(body.tools ?? []))
    expect(offered.length).toBeGreaterThan(0)
    expect(offered.filter((one) => one.includes('smtp_send_email'))).toEqual([])
    expect(await chat.stack.inbox.messages()).toEqual([])
    await change('on')
    await tools.getByRole('button', { name: 'Switch off Send email', exact: true }).waitFor()
  })

  it('does by hand what is confirmed, once, and shows what came of it', async () => {
    await chat.stack.inbox.clear()
    await open('Agents')
    await page.getByRole('button', { name: /^Try it\s?: Send email$/ }).click()
    const form = page.getByRole('form', { name: 'Try Send email' })
    await form.getByRole('button', { name: 'Do it …' }).click()
    await form.getByText('Subject line is required.').waitFor()
    await form.getByRole('textbox', { name: 'Recipient email address', exact: true }).fill('ada@example.com')
    await form.getByRole('textbox', { name: 'Subject line' }).fill('By hand')
    await form.getByRole('textbox', { name: 'Text of the email', exact: true }).fill('Hello.')
    await form.getByRole('button', { name: 'Do it …' }).click()
    const group = page.getByRole('group', { name: 'Do it for real?' })
    expect(await findBarriers(page)).toEqual([])
    expect(await chat.stack.inbox.messages()).toEqual([])
    await group.getByRole('button', { name: 'Yes, run it now' }).dblclick()
    await page.getByRole('status').getByRole('definition').filter({ hasText: 'ada@example.com' }).waitFor()
    expect((await chat.stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['By hand'])
  })

  it('leaves the keyboard at a tool that was tried', async () => {
    await page.goto(`${chat.stack.url}/agents`)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('button', { name: /^Try it\s?: Test mail account$/ }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).press('Enter')
    await page.locator('.trial').getByRole('status').getByText(/./).first().waitFor()
    await expect.poll(focused).toBe('Run')
    await page.getByRole('button', { name: /^Try it\s?: Send email$/ }).click()
    const form = page.getByRole('form', { name: 'Try Send email' })
    await form.getByRole('textbox', { name: 'Recipient email address', exact: true }).fill('ada@example.com')
    await form.getByRole('textbox', { name: 'Subject line' }).fill('By hand')
    await form.getByRole('textbox', { name: 'Text of the email', exact: true }).fill('Hello.')
    await form.getByRole('button', { name: 'Do it …' }).press('Enter')
    await page.route('**/functions/v1/smtp-api', (route) => route.abort())
    await page.getByRole('button', { name: 'Yes, run it now' }).press('Enter')
    await page.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await expect.poll(focused).toBe('Yes, run it now')
    await page.unroute('**/functions/v1/smtp-api')
    browser.complaints()
    await page.getByRole('button', { name: 'No', exact: true }).press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('trial')
  })

  it('makes an agent with fallbacks, talks to it, and keeps its conversations when it is deleted', async () => {
    await page.getByRole('button', { name: 'New agent' }).click()
    await page.getByRole('button', { name: 'New agent', pressed: true }).waitFor()
    const form = page.getByRole('form', { name: 'Agent' })
    await form.getByLabel('Name').fill(' ')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('An agent needs a name.').waitFor()
    await form.getByLabel('Name').fill('Clerk')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Clerk', pressed: true }).waitFor()
    const model = page.getByRole('form', { name: 'Model' })
    const offered = model.getByRole('combobox', { name: 'Provider', exact: true }).getByRole('option')
    await offered.last().waitFor({ state: 'attached' })
    expect(await offered.allInnerTexts()).toEqual([
      'Server default',
      'OpenAI',
      'Anthropic',
      'Gemini',
      'OpenRouter',
    ])
    for (const number of [1, 2]) {
      await model.getByRole('button', { name: 'Add a fallback' }).click()
      await model.getByLabel(`Model of fallback ${number}`).fill(`model-${number}`)
    }
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('agent_llm_preferences') && response.request().method() === 'POST',
    )
    await model.getByRole('button', { name: 'Save model' }).click()
    expect((await saved).ok()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Clerk' }).click()
    expect(await model.getByLabel('Model of fallback 2').inputValue()).toBe('model-2')
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByLabel('Agent').selectOption('Clerk')
    await write(page, 'Send an email about trains')
    await page.getByRole('form', { name: recipientQuestion }).waitFor()
    const address = page.url()
    await open('Agents')
    await page.getByRole('button', { name: 'Clerk' }).click()
    await page.getByRole('button', { name: 'Delete agent' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Your conversations stay').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Clerk' }).waitFor({ state: 'detached' })
    await page.goto(address)
    // What it asked can still be answered: by the oldest agent.
    const card = approvals(page)
    await card.getByRole('textbox').first().fill('ada@example.com')
    await card.getByRole('button', { name: 'Send email' }).click()
    await page.getByText(/I sent the email “Trains”/).waitFor()
  })

  it('keeps what is typed of an agent while another one is looked at', async () => {
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('form', { name: 'Agent' }).waitFor()
    await page.getByRole('button', { name: 'New agent', exact: true }).click()
    await page.getByRole('button', { name: 'New agent', pressed: true }).waitFor()
    const other = page.locator('.tabs').getByRole('button', { pressed: false })
    const instructions = page.getByRole('textbox', { name: 'Instructions' })
    const model = page.getByRole('textbox', { name: 'Model', exact: true })
    await instructions.fill('Half of a sentence')
    await model.fill('half-a-model')
    await other.click()
    await expect.poll(() => instructions.inputValue()).not.toBe('Half of a sentence')
    await expect.poll(() => model.inputValue()).toBe('')
    await page.locator('.tabs').getByRole('button', { name: 'New agent' }).click()
    await expect.poll(() => instructions.inputValue()).toBe('Half of a sentence')
    await expect.poll(() => model.inputValue()).toBe('half-a-model')
    await page.reload()
    await page.locator('.tabs').getByRole('button', { name: 'New agent' }).click()
    await expect.poll(() => instructions.inputValue()).toBe('You help the user. Be brief.')
  })

  it('makes one agent of a double click', async () => {
    const isMaking = (url: URL) => url.pathname.endsWith('/agents') && url.searchParams.has('select')
    const made: string[] = []
    await page.route(isMaking, async (route) => {
      if (route.request().method() === 'POST') made.push(route.request().url())
      await route.continue()
    })
    await page.locator('.page-head').getByRole('button', { name: 'New agent' }).dblclick()
    const tabs = page.locator('.tabs').getByRole('button')
    await expect.poll(() => tabs.count()).toBe(3)
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.unroute(isMaking)
    expect(made.length).toBe(1)
  })

  it('saves of an agent only what was typed, and shows what another tab has saved since', async () => {
    const agent = { name: 'Twice', instructions: 'As it was.', tool_access: 'all' }
    await withDatabase(chat.stack, async (sql) => {
      const [user] = await sql`select user_id from askback.agents where name = 'New agent'`
      await sql`insert into askback.agents ${sql({ ...agent, user_id: user?.user_id })}`
    })
    const read = () =>
      withDatabase(chat.stack, async (sql) => {
        const [row] = await sql`
          select a.name, a.instructions, p.model, p.temperature from askback.agents a
          left join askback.agent_llm_preferences p on p.agent_id = a.id where a.name like '%wice%'`
        return { ...row }
      })
    const elsewhere = await page.context().newPage()
    const tabs = [page, elsewhere] as const
    for (const tab of tabs) {
      await tab.goto(`${chat.stack.url}/agents`)
      await tab.getByRole('button', { name: 'Twice' }).click()
      await tab.getByRole('textbox', { name: 'Model', exact: true }).waitFor()
    }
    const [here, there] = tabs.map((tab) => ({
      name: tab.getByRole('textbox', { name: 'Name' }),
      instructions: tab.getByRole('textbox', { name: 'Instructions' }),
      model: tab.getByRole('textbox', { name: 'Model', exact: true }),
      temperature: tab.getByRole('textbox', { name: 'Temperature' }),
      save: tab.getByRole('button', { name: 'Save', exact: true }),
      saveModel: tab.getByRole('button', { name: 'Save model' }),
    }))
    if (!here || !there) throw new Error('A tab is missing.')
    await there.instructions.fill('As it is there.')
    await there.save.click()
    await there.model.fill('model-of-there')
    await there.saveModel.click()
    await expect.poll(read).toMatchObject({ instructions: 'As it is there.', model: 'model-of-there' })
    await page.bringToFront()
    await here.name.fill('Twice here')
    await here.save.click()
    await here.temperature.fill('0,7')
    await here.saveModel.click()
    const both = { name: 'Twice here', instructions: 'As it is there.', model: 'model-of-there' }
    await expect.poll(read).toMatchObject({ ...both, temperature: expect.anything() })
    await expect.poll(() => here.instructions.inputValue()).toBe('As it is there.')
    await expect.poll(() => here.model.inputValue()).toBe('model-of-there')
    await there.name.fill('Twice there')
    await there.save.click()
    await expect.poll(read).toMatchObject({ ...both, name: 'Twice there' })
    await elsewhere.close()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('button', { name: /^Twice/ }).click()
    const comeBack = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      return here.name.inputValue()
    }
    await expect.poll(comeBack, { timeout: 30_000 }).toBe('Twice there')
  })

  it('says that an agent was deleted elsewhere, not that it was saved', async () => {
    await page.getByRole('textbox', { name: 'Instructions' }).fill('For nobody.')
    await withDatabase(chat.stack, (sql) => sql`delete from askback.agents where name = 'Twice there'`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('This agent was deleted elsewhere, so nothing was saved.').waitFor()
    await page.getByRole('button', { name: 'Twice there' }).waitFor({ state: 'detached' })
  })

  it('shows no permission before it is known', async () => {
    const { opened: asked, open: answer } = gate()
    await page.route('**/agent_tool_permissions*', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('textbox', { name: 'Instructions' }).waitFor()
    await expect
      .poll(() =>
        page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => name)
            .join(),
        ),
      )
      .toContain('/functions/v1/chat/tools')
    expect(await page.getByRole('combobox', { name: /^Permission for/ }).count()).toBe(0)
    answer()
    await page
      .getByRole('combobox', { name: /^Permission for/ })
      .first()
      .waitFor()
    await page.unroute('**/agent_tool_permissions*')
    // What the model reads of a tool is longer.
    const tools = page.getByRole('region', { name: 'Tools' })
    await tools.getByText('Sends an email through your mail server.', { exact: true }).waitFor()
    expect(await tools.innerText()).not.toMatch(/Use it|Returns/)
    await tools.getByText(/Off: this agent can’t use it\.$/).waitFor()
    await page.getByText('Leave empty for the server’s default model.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('sends to the agent that is shown, where the chosen one was deleted elsewhere', async () => {
    await withDatabase(chat.stack, async (sql) => {
      const [user] = await sql`select user_id from askback.agents limit 1`
      await sql`insert into askback.agents (user_id, name, instructions) values (${user?.user_id}, 'Gone', 'Go.')`
    })
    await page.goto(chat.stack.url)
    await page.getByLabel('Agent').selectOption('Gone')
    await withDatabase(chat.stack, (sql) => sql`delete from askback.agents where name = 'Gone'`)
    const comeBack = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      // Also while the pickers are hidden, because one of them is still being loaded.
      return page.locator('option', { hasText: 'Gone' }).count()
    }
    await expect.poll(comeBack, { timeout: 30_000 }).toBe(0)
    await write(page, 'Send an email about swans')
    await page.getByRole('form', { name: recipientQuestion }).waitFor()
  })

  it('counts what was denied apart from errors', async () => {
    await setMailApproval(chat.stack, 'always')
    await page.goto(chat.stack.url)
    await write(page, 'Send an email about cranes to ada@example.com')
    const card = approvals(page)
    await card.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('button', { name: 'Good answer' }).waitFor()
    await open('Insights')
    await expectFigure('Denied by you', '1')
    const errors = page.getByRole('figure').filter({ hasText: 'Errors by type and tool' })
    await errors.getByText('As a table').click()
    const rows = await errors.getByRole('row').allInnerTexts()
    expect(rows.join()).toContain('Missing parameter')
    expect(rows.join()).not.toMatch(/denied/i)
  })

  it('shows none of it to somebody who is no operator, on a phone either', async () => {
    const account = { email: 'ada@example.com', password: 'correct horse battery' }
    const headers = { apikey: chat.stack.keys.publishableKey, 'content-type': 'application/json' }
    await fetch(`${chat.stack.url}/auth/v1/signup`, {
      method: 'POST',
      headers,
      body: JSON.stringify(account),
    })
    const phone = await browser.open(chat.stack.url, { width: 360, height: 740, dark: true })
    await phone.getByRole('textbox', { name: 'Email' }).fill(account.email)
    await phone.getByLabel('Password').fill(account.password)
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
    await phone.getByRole('textbox', { name: 'Message' }).waitFor()
    const told = phone.waitForResponse((response) => response.url().endsWith('/chat/operator'))
    await phone.goto(`${chat.stack.url}/insights`)
    await phone.getByText('No calls in the last 30 days.').waitFor()
    expect(await (await told).json()).toEqual({ isOperator: false })
    await phone.waitForLoadState('networkidle')
    expect(await phone.getByRole('region', { name: 'For operators' }).count()).toBe(0)
    expect(await findBarriers(phone)).toEqual([])
    expect(await sidewaysScroll(phone)).toBe(0)
  })
})
