import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { FormSchema, ToolDescription } from '../../api/message.ts'
import { capitalise } from '../../values/capitalise.ts'
import { labelOf } from '../../values/sentence.ts'

/** Display names of tools and their parameters. */
export interface ToolNames {
  title(toolName: string): string
  /** As in forms, or shorter where its tool says how. */
  parameter(toolName: string, name: string): string
  /** The word for a value that has one. */
  value(toolName: string, name: string, value: unknown): string | undefined
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
  const names = useMemo(() => nameTools(tools), [tools])
  return <Names.Provider value={names}>{children}</Names.Provider>
}

export function useToolNames(): ToolNames {
  return useContext(Names) ?? unnamed
}

const unnamed = nameTools([])

function nameTools(tools: readonly ToolDescription[]): ToolNames {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const find = (toolName: string) => byName.get(toolName)
  return {
    find,
    title: (toolName) => find(toolName)?.title ?? labelOf(toolName),
    parameter(toolName, name) {
      const { short, title } = fieldIn(find(toolName), name) ?? {}
      return capitalise(short ?? (title || labelOf(name)))
    },
    value(toolName, name, value) {
      const { choices = {} } = fieldIn(find(toolName), name) ?? {}
      return typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value] : undefined
    },
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

function fieldIn(tool: ToolDescription | undefined, name: string): FormSchema | undefined {
  const fields = (tool?.parameters as FormSchema | undefined)?.properties ?? {}
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function takesAll({ parameters }: ToolDescription, values: Readonly<Record<string, unknown>>): boolean {
  const fields = (parameters as FormSchema).properties ?? {}
  return Object.keys(values).every((name) => Object.hasOwn(fields, name))
}

function serviceOf(toolName: string): string | undefined {
  return toolName.split('_')[0]
}
