import { clipText } from '../core/clip-text.ts'
import { parsePath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { ToolError } from '../core/tool-error.ts'
import { describeSchema } from '../schema/describe-schema.ts'
import { flattenSchema } from '../schema/resolve-schema.ts'

const maxParameters = 8
const maxPhrase = 60

/** The excerpt of a schema that matters to an error: the faulty parameters, then the required ones, a phrase each. */
export function describeParameters(root: JsonSchema, error: ToolError): string[] {
  const { properties = {}, required = [] } = flattenSchema(root, root)
  const paths = error.details.problems?.map((problem) => problem.parameter) ?? [error.details.parameter]
  const faulty = paths.map((path) => String(parsePath(path ?? '')?.[0] ?? ''))
  return [...new Set([...faulty, ...required])]
    .filter((name) => Object.hasOwn(properties, name))
    .slice(0, maxParameters)
    .map((name) => {
      const phrase = describeSchema(root, properties[name] ?? true)
      return `${name} (${clipText(phrase, maxPhrase)}${required.includes(name) ? ', required' : ''})`
    })
}
