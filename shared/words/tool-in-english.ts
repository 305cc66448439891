import type { FieldWords, ToolWords } from './tool-words.ts'

/** What a tool says of itself. */
export interface SpecifiedTool {
  confirm?: string | undefined
  summary?: string | undefined
  button?: string | undefined
  past?: string | undefined
  parameters?: object | undefined
}

/** A tool in its author's words: the templates of its specification, and the names of its parameters. */
export function toolInEnglish(title: string, tool: SpecifiedTool = {}): ToolWords {
  const { confirm, summary, button, past, parameters } = tool
  return {
    title,
    fields: fieldsIn(parameters),
    confirm,
    summary,
    button,
    past,
  }
}

/** What a parameter says of itself. */
interface EnglishField {
  title?: string
  short?: string
  choices?: Readonly<Record<string, string>>
}

function fieldsIn(parameters: { properties?: unknown } = {}): Record<string, FieldWords> {
  const properties = Object.entries((parameters.properties ?? {}) as Record<string, EnglishField>)
  return Object.fromEntries(
    properties.flatMap(([name, { title, short, choices }]) => {
      if (!title && !short && !choices) return []
      const said = title || name.replaceAll('_', ' ')
      return [[name, { title: said, short: short ?? said, choices }]]
    }),
  )
}
