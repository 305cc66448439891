import type { ToolError } from '../core/tool-error.ts'
import type { WireKeys } from '../models/protocol/wire-keys.ts'

/** The error with the names by which a model knows the parameters. */
export function withKeys(error: ToolError, keys: WireKeys): ToolError {
  const { parameter, requiredParameters, correction, example, problems, hint } = error.details
  const renamed = <Part extends { parameter?: string }>(part: Part): Part =>
    part.parameter === undefined ? part : { ...part, parameter: keys.wirePath(part.parameter) }
  return {
    ...error,
    error: keys.wireWords(error.error),
    details: {
      ...error.details,
      ...(parameter === undefined ? {} : { parameter: keys.wirePath(parameter) }),
      ...(hint === undefined ? {} : { hint: keys.wireWords(hint) }),
      ...(requiredParameters ? { requiredParameters: requiredParameters.map(keys.wirePath) } : {}),
      ...(example === undefined ? {} : { example: keys.wireValue(example) }),
      ...(problems ? { problems: problems.map(renamed) } : {}),
      ...(correction
        ? {
            correction: {
              ...correction,
              arguments: keys.wireValue(correction.arguments) as Record<string, unknown>,
              open: correction.open.map(keys.wirePath),
            },
          }
        : {}),
    },
  }
}
