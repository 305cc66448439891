import { useMemo } from 'react'
import { sayTool } from '../../client/labels/say.ts'
import type { ToolDescription } from '../../client/message.ts'
import { useLabels } from '../../client/react/use-labels.ts'
import { useTools } from '../queries.ts'

/** The tools, ours in the language of the page. */
export function useNamedTools(): ToolDescription[] {
  const labels = useLabels()
  const tools = useTools()
  return useMemo(() => tools.map((tool) => sayTool(labels, tool)), [labels, tools])
}
