import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { FormSchema, ToolDescription } from '../message.ts'
import { capitalise, labelOf } from '../sentence.ts'

/** Names for people, of tools and of their parameters. */
export interface ToolNames {
  title(toolName: string): string
  parameter(toolName: string, name: string): string
  find(toolName: string): ToolDescription | undefined
  /** Whether a call of this tool can be kept as a draft instead. */
  hasDraft(toolName: string): boolean
}

const Names = createContext<ToolNames>(nameTools([]))

/** Gives the cards below it the tools' titles; without it they make them of the names. */
export function ToolNamesProvider({
  tools,
  children,
}: {
  tools: readonly ToolDescription[]
  children: ReactNode
}) {
  const names = useMemo(() => nameTools(tools), [tools])
  return <Names.Provider value={names}>{children}</Names.Provider>
}

export function useToolNames(): ToolNames {
  return useContext(Names)
}

function nameTools(tools: readonly ToolDescription[]): ToolNames {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const find = (toolName: string) => byName.get(toolName)
  return {
    find,
    title: (toolName) => find(toolName)?.title ?? labelOf(toolName),
    parameter: (toolName, name) => parameterLabel(find(toolName)?.parameters, name),
    hasDraft: (toolName) =>
      tools.some(
        ({ name }) => /draft/.test(name) && name !== toolName && serviceOf(name) === serviceOf(toolName),
      ),
  }
}

/** Short labels: "To" rather than "recipient email address". */
function parameterLabel(_schema: FormSchema | undefined, name: string): string {
  return capitalise(labelOf(name))
}

function serviceOf(toolName: string): string | undefined {
  return toolName.split('_')[0]
}
