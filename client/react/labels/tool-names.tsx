import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { FormSchema, ToolDescription } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { sayParameter, sayTool } from '../../labels/say.ts'
import { capitalise, labelOf } from '../../values/sentence.ts'
import { useLabels } from './use-labels.ts'

/** Display names of tools and their parameters. */
export interface ToolNames {
  title(toolName: string): string
  parameter(toolName: string, name: string): string
  find(toolName: string): ToolDescription | undefined
  /** Whether a call with these values can be kept as a draft instead, by a tool of the same service that takes them all. */
  hasDraft(toolName: string, values: Readonly<Record<string, unknown>>): boolean
}

const Names = createContext<ToolNames | undefined>(undefined)

/** Provides tool titles to the cards below it; without it, titles are derived from the names. */
export function ToolNamesProvider({
  tools,
  children,
}: {
  tools: readonly ToolDescription[]
  children: ReactNode
}) {
  const labels = useLabels()
  const names = useMemo(() => nameTools(tools, labels), [tools, labels])
  return <Names.Provider value={names}>{children}</Names.Provider>
}

export function useToolNames(): ToolNames {
  const labels = useLabels()
  const given = useContext(Names)
  return useMemo(() => given ?? nameTools([], labels), [given, labels])
}

function nameTools(given: readonly ToolDescription[], labels: Labels): ToolNames {
  const tools = given.map((tool) => sayTool(labels, tool))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const find = (toolName: string) => byName.get(toolName)
  return {
    find,
    title: (toolName) => find(toolName)?.title ?? labels.tools[toolName]?.title ?? labelOf(toolName),
    // Short labels: "To" rather than "recipient email address".
    parameter: (toolName, name) =>
      sayParameter(labels, toolName, name) ?? capitalise(labelOf(withoutPrefix(name, find(toolName)))),
    hasDraft: (toolName, values) =>
      tools.some(
        (tool) =>
          /draft/.test(tool.name) &&
          tool.name !== toolName &&
          serviceOf(tool.name) === serviceOf(toolName) &&
          takesAll(tool, values),
      ),
  }
}

/** `order_id` for `p_order_id`, which has the title "order id". */
function withoutPrefix(name: string, tool: ToolDescription | undefined): string {
  const fields = (tool?.parameters as FormSchema | undefined)?.properties ?? {}
  const tail = Object.hasOwn(fields, name) ? fields[name]?.title?.replaceAll(' ', '_') : undefined
  return tail && name.endsWith(`_${tail}`) ? tail : name
}

function takesAll({ parameters }: ToolDescription, values: Readonly<Record<string, unknown>>): boolean {
  const fields = (parameters as FormSchema).properties ?? {}
  return Object.keys(values).every((name) => Object.hasOwn(fields, name))
}

function serviceOf(toolName: string): string | undefined {
  return toolName.split('_')[0]
}
