import { useMemo } from 'react'
import type { ToolDescription } from '../../client/api/message.ts'
import { sayTool } from '../../client/labels/say.ts'
import { useLabels } from '../../client/react/labels/use-labels.ts'
import { useTools } from '../queries.ts'

/** All tools; ours with titles in the page's language. */
export function useNamedTools(): ToolDescription[] {
  const labels = useLabels()
  const tools = useTools()
  return useMemo(() => tools.map((tool) => sayTool(labels, tool)), [labels, tools])
}
