import type { Page } from 'playwright-core'

/**
 * Listens like a screen reader to what a page of `startBrowser` announces by itself: each text that comes into a live
 * region. Returns what reads all of it so far.
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const received: string[] = []
    Object.assign(window, { heard: received })
    const live = '[aria-live], [role=status], [role=alert], [role=log]'
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes) {
          const element = node instanceof Element ? node : node.parentElement
          const region = element?.closest(live)
          if (!region || region.getAttribute('aria-live') === 'off') continue
          // Screen readers announce what comes into a region, and no new region but an alert.
          if (node === region && !region.matches('[role=alert]')) continue
          const words = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
          if (words) received.push(words)
        }
    })
    const observe = (root: Node) =>
      observer.observe(root, { subtree: true, childList: true, characterData: true })
    const { shadowRoots } = window as unknown as { shadowRoots: ShadowRoot[] }
    for (const root of [document.body, ...shadowRoots]) observe(root)
    addEventListener('shadowroot', (event) => observe((event as CustomEvent<ShadowRoot>).detail))
  })
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
}
