import { useMemo } from 'react'
import { sayTool } from '../../client/labels/say.ts'
import type { ToolDescription } from '../../client/message.ts'
import { useLabels } from '../../client/react/use-labels.ts'
import { useTools } from '../queries.ts'

/** All tools; ours with titles in the page's language. */
export function useNamedTools(): ToolDescription[] {
  const labels = useLabels()
  const tools = useTools()
  return useMemo(() => tools.map((tool) => sayTool(labels, tool)), [labels, tools])
}
