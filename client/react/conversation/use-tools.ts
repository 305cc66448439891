import { useEffect, useState } from 'react'
import type { ToolDescription } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'

const noTools: readonly ToolDescription[] = []

/**
 * The tools that agents can be given, for a `ToolNamesProvider`; none until they are loaded, or if that fails.
 *
 * @param given Those that the app has loaded itself.
 */
export function useTools(askback: Askback, given?: readonly ToolDescription[]): readonly ToolDescription[] {
  const [tools, setTools] = useState(noTools)
  const isGiven = given !== undefined
  useEffect(() => {
    if (!isGiven) askback.tools().then(setTools, () => {})
  }, [askback, isGiven])
  return given ?? tools
}
