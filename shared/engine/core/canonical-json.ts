import { parseExactJson } from './exact-json.ts'
import { sha256 } from './sha256.ts'
import { storableJson } from './storable-json.ts'

/** JSON with sorted keys: equal for equal values, whatever order a model wrote them in. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    let members = ''
    for (const key of Object.keys(value).sort()) {
      const member = (value as Record<string, unknown>)[key]
      if (member === undefined) continue
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
    }
    return `{${members}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** Identifies a repeated call: by tool and arguments. */
export function callKey(toolName: string, args: unknown): string {
  return `${toolName} ${canonicalJson(args)}`
}

/** The arguments a model wrote, normalised so that a repetition is noticed whatever the order of its keys. */
export function writtenArguments(rawArguments: string): string {
  try {
    return canonicalJson(parseExactJson(rawArguments))
  } catch {
    return rawArguments
  }
}

/**
 * SHA-256 of the canonical JSON in lower-case hex: claims, approvals and tickets are bound to it. The same for what a
 * database keeps of the arguments, because another process may continue with that.
 *
 * @example
 * (await argumentHash({ b: 1, a: 2 })) === (await argumentHash({ a: 2, b: 1 })) // => true
 */
export function argumentHash(args: unknown): Promise<string> {
  return sha256(storableJson(canonicalJson(args)))
}
