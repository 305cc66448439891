import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findFreePort } from '../../../local/process/free-port.ts'
import { chromiumPath } from '../../../scripts/chromium.ts'
import { callTool, say } from '../../../support/model-reply.ts'
import { type ModelServer, startModelServer } from '../../../support/model-server.ts'
import { startStack, type TestStack } from '../../../support/stack.ts'
import { readVersions } from '../packages.ts'
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts'
import { type Participant, participants, type ServerCall } from './participants.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** A server, and what stands before it. */
interface Served {
  participant: Participant
  proxy: CountingProxy
  server: RunningServer
}

/**
 * Servers as others publish them, in chats in a browser: each is added in the settings, and each of its calls is asked for,
 * approved and carried out once; then all of them are asked for again, everything is started anew, and they are approved.
 * Prints a line for each server. Resolves to whether all went as it should.
 */
export async function runServers(): Promise<boolean> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium here. Name one in CHROMIUM_PATH.')
  const versions = await readVersions()
  const folder = await mkdtemp(join(tmpdir(), 'askback-servers-'))
  const dataDirectory = join(folder, 'data')
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>A small page</title><h1>A small page</h1>')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const place = { folder, page: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, port: 0 }
  const model = await startModelServer([])
  // The browser's session belongs to the address.
  const ASKBACK_PORT = `${await findFreePort(0)}`
  const start = () => startStack({ dataDirectory, env: { ...modelSettings(model), ASKBACK_PORT } })
  const all: Served[] = []
  let stack = await start()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const page = await openDemo(browser, stack)
    const faults = new Map<Participant, string[]>()
    for (const participant of participants) {
      const found: string[] = []
      faults.set(participant, found)
      const served = await serve(participant, place)
      all.push(served)
      await attempt(found, 'is added', () => add(page, stack, served))
      for (const call of participant.calls) {
        await attempt(found, call.tool, async () => {
          await ask(page, stack, model, { served, call, place })
          await approve(page)
          await expectDone(page, model, { served, call }, 1)
        })
      }
    }
    const waiting: [Served, ServerCall, string][] = []
    for (const served of all) {
      const [call] = served.participant.calls
      if (!call) continue
      await attempt(faults.get(served.participant) ?? [], `${call.tool} is asked again`, async () => {
        await ask(page, stack, model, { served, call, place })
        waiting.push([served, call, page.url()])
      })
    }
    await stack.stop()
    for (const served of all) await served.server.end()
    stack = await start()
    for (const served of all) {
      served.server = await startServer(served.participant, place)
      served.proxy.target = served.server.port
    }
    for (const [served, call, url] of waiting) {
      await attempt(faults.get(served.participant) ?? [], `${call.tool} after a restart`, async () => {
        script(model, { served, call, place })
        await page.goto(url)
        await approve(page)
        await expectDone(page, model, { served, call }, 2)
      })
    }
    for (const [{ packageName, calls }, found] of faults) {
      for (const fault of found) console.log(`FAILED ${packageName} ${fault}`)
      const tried = calls.length + 2
      console.log(`${packageName} ${versions[packageName]}: ${tried - found.length} of ${tried}`)
    }
    return [...faults.values()].every((found) => found.length === 0)
  } finally {
    await browser.close()
    await stack.stop()
    await model.close()
    for (const { server, proxy } of all) {
      await server.end()
      proxy.close()
    }
    site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function modelSettings({ url }: ModelServer): Record<string, string> {
  return {
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
    ASKBACK_CLOCK_SECONDS: '3600',
  }
}

async function openDemo(browser: Browser, { url }: TestStack): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(url)
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  return page
}

async function serve(participant: Participant, place: { folder: string; page: string }): Promise<Served> {
  const proxy = await startCountingProxy()
  const server = await startServer(participant, place)
  proxy.target = server.port
  return { participant, proxy, server }
}

async function add(page: Page, { url }: TestStack, { participant, proxy }: Served): Promise<void> {
  await page.goto(`${url}/settings/integrations/servers`)
  await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${proxy.port}/mcp`)
  await page.getByText('Key and name').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(participant.name)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(`${participant.name} was added.`).waitFor()
  await page.getByRole('region', { name: participant.name, exact: true }).getByText('Ready').waitFor()
}

type Place = Parameters<ServerCall['args']>[0]
type Asked = { served: Served; call: ServerCall; place: Place }

/** The model makes this call, and says when it has its result. */
function script(model: ModelServer, { served, call, place }: Asked): void {
  model.use(({ body }) =>
    body.messages.at(-1)?.role === 'tool'
      ? say(`${call.tool} is done.`)
      : callTool(`${served.participant.name}__${call.tool}`, call.args(place)),
  )
}

/** Asks for a call in a new conversation, which then waits for approval. */
async function ask(page: Page, { url }: TestStack, model: ModelServer, asked: Asked): Promise<void> {
  script(model, asked)
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Message' }).fill(`Please call ${asked.call.tool}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('group', { name: 'Approval needed' }).waitFor()
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Approval needed' }).locator('button.askback-primary').click()
}

/** The model has read the result, and the server was called so many times. */
async function expectDone(
  page: Page,
  model: ModelServer,
  { served, call }: { served: Served; call: ServerCall },
  times: number,
): Promise<void> {
  await page.getByText(`${call.tool} is done.`).waitFor()
  const result = JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)?.content)
  if (!result.includes(call.holds)) throw new Error(`its result is ${result.slice(0, 300)}`)
  const count = served.proxy.counts.get(call.tool) ?? 0
  if (count !== times) throw new Error(`it was called ${count} times instead of ${times}`)
}

async function attempt(faults: string[], what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    faults.push(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}
