import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo, settled } from '../../support/browser.ts'
import { write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { makeAnswer, storeLongConversation } from '../../support/long-conversation.ts'
import { say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack())

/** An entry of https://developer.mozilla.org/docs/Web/API/LayoutShift */
interface Shift {
  hadRecentInput: boolean
  sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[]
}

describe.skipIf(!chromiumPath)('a chat', () => {
  beforeAll(async () => {
    const answer = Array.from({ length: 8 }, (_, index) => makeAnswer(index)).join('\n\n')
    chat.model.use(() => say(answer, { pauseMs: 15, fragments: { size: 24 } }))
    await storeLongConversation(chat.stack, 20)
  })

  it('moves nothing that is read while an answer with code, tables and links is written', async () => {
    const page = await openDemo(browser, chat.stack.url)
    await page.goto(`${chat.stack.url}/chat/long`)
    await page.waitForSelector('.askback-code-block pre span')
    await settled(page)
    await page.evaluate(() => {
      const moved: string[] = []
      Object.assign(window, { moved })
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
          if (hadRecentInput) continue
          for (const { node, previousRect: from, currentRect: to } of sources)
            moved.push(
              `${node?.nodeName} "${node?.textContent}" from ${from.x}, ${from.y} to ${to.x}, ${to.y}`,
            )
        }
      }).observe({ type: 'layout-shift', buffered: false })
    })
    await write(page, 'Tell me more')
    await page.waitForSelector('.askback-composer button[type=submit]', { state: 'detached' })
    await page.waitForSelector('.askback-composer button[type=submit]')
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
  })
})
