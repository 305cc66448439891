import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chromiumPath, startBrowser, type TestBrowser } from './browser.ts'

/**
 * A browser and what serves its pages, for a test file: from before its first test until after its last one. After each test
 * nothing may be left that a page has complained about. Where there is no Chromium, nothing is started.
 */
export function useBrowser<Served extends { stop(): Promise<unknown> }>(
  start: () => Promise<Served>,
): readonly [TestBrowser, Served] {
  const browser = {} as TestBrowser
  const served = {} as Served
  beforeAll(async () => {
    if (!chromiumPath) return
    Object.assign(served, await start())
    Object.assign(browser, await startBrowser())
  })
  afterEach(() => {
    expect(browser.complaints()).toEqual([])
  })
  afterAll(async () => {
    await browser.close?.()
    await served.stop?.()
  })
  return [browser, served]
}
