import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Provider } from '../../api/connection.ts'
import type { ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import { sayTool } from '../../labels/say.ts'
import { sayChoice, sayProvider } from '../../labels/say-settings.ts'
import { useSettingsLabels } from './use-settings-labels.ts'

/** The providers with the user's connections, and the titles of the tools that use them, in the labels' language. */
export function useProviders(askback: Askback) {
  const labels = useSettingsLabels()
  const [found, setFound] = useState<readonly Provider[]>()
  const [tools, setTools] = useState<readonly ToolDescription[]>()
  const [failure, setFailure] = useState<unknown>()
  const latest = useRef<Promise<Provider[]>>(undefined)
  /** Reads them again and returns them; what is known stays if that fails. */
  const refresh = useCallback(async () => {
    const read = askback.connections.list()
    latest.current = read
    try {
      const providers = await read
      if (latest.current === read) {
        setFound(providers)
        setFailure(undefined)
      }
      return providers
    } catch (error) {
      if (latest.current === read) setFailure(error)
      return undefined
    }
  }, [askback])
  useEffect(() => {
    askback.tools().then(setTools, () => setTools([]))
    void refresh()
    // The user may have changed something in another tab, or at the provider.
    const look = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [askback, refresh])

  // With the titles of their tools: nothing moves away from a finger that presses.
  const providers = useMemo(
    () => tools && found?.map((one) => sayProvider(labels, one)),
    [tools, found, labels],
  )
  const titles = useMemo(
    () => new Map(tools?.map((tool) => [tool.name, sayTool(labels, tool).title])),
    [tools, labels],
  )
  /** The title of `tool` or `tool:action`. */
  const toolTitle = (name: string) => {
    const [tool = name, action] = name.split(':')
    const title = titles.get(tool) ?? tool
    return action === undefined ? title : `${title}: ${sayChoice(labels, tool, 'action', action)}`
  }
  return { providers, failure, toolTitle, refresh }
}
