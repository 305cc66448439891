import type { FieldWords, ToolWords } from './tool-words.ts'

/** What a tool says of itself. */
export interface SpecifiedTool {
  confirm?: string | undefined
  summary?: string | undefined
  button?: string | undefined
  parameters?: object | undefined
}

/** A tool in its author's words: the templates of its specification, and the names of its parameters. */
export function toolInEnglish(title: string, tool: SpecifiedTool = {}): ToolWords {
  const { confirm, summary, button, parameters } = tool
  return {
    title,
    fields: fieldsIn(parameters),
    ...(confirm === undefined ? {} : { confirm }),
    ...(summary === undefined ? {} : { summary }),
    ...(button === undefined ? {} : { button }),
  }
}

function fieldsIn(parameters: { properties?: unknown } = {}): Record<string, FieldWords> {
  const properties = Object.entries((parameters.properties ?? {}) as Record<string, { title?: unknown }>)
  return Object.fromEntries(
    properties.flatMap(([name, { title }]) =>
      typeof title === 'string' && title !== '' ? [[name, { title, short: nameShort(name, title) }]] : [],
    ),
  )
}

/** The name in front of a value, in words: `bcc`; without the prefix that its title leaves out: `order id` for `p_order_id`. */
function nameShort(name: string, title: string): string {
  return name.endsWith(`_${title.replaceAll(' ', '_')}`) ? title : name.replaceAll('_', ' ')
}
