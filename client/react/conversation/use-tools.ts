import { useEffect, useState } from 'react'
import type { ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'

const noTools: readonly ToolDescription[] = []

/** The tools that agents can be given, for a `ToolNamesProvider`; none until they are loaded, or if that fails. */
export function useTools(askback: Askback): readonly ToolDescription[] {
  const [tools, setTools] = useState(noTools)
  useEffect(() => {
    askback.tools().then(setTools, () => {})
  }, [askback])
  return tools
}
