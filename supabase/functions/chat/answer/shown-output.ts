/** Bytes of JSON that one tool output may take in a message: clients send every message again with each request. */
const outputLimit = 32 * 1024

/** A tool's output as clients get it. */
export function shownOutput(output: unknown): unknown {
  const json = JSON.stringify(output) ?? 'null'
  if (new TextEncoder().encode(json).byteLength <= outputLimit) return output ?? null
  return { shortened: true, start: json.slice(0, outputLimit / 2) }
}
