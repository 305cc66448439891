import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Provider } from '../../api/connection.ts'
import type { FormSchema, ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'

/** The providers with the user's connections, and the titles of the tools that use them, in the reader's language. */
export function useProviders(askback: Askback) {
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
  const providers = tools && found
  const named = useMemo(() => new Map(tools?.map((tool) => [tool.name, tool])), [tools])
  /** The title of `tool` or `tool:action`. */
  const toolTitle = (name: string) => {
    const [tool = name, action] = name.split(':')
    const { title = tool, parameters } = named.get(tool) ?? {}
    if (action === undefined) return title
    const { choices } = (parameters as FormSchema | undefined)?.properties?.action ?? {}
    return `${title}: ${choices?.[action] ?? action.replaceAll('_', ' ')}`
  }
  return { providers, failure, toolTitle, refresh }
}
