/** Levels that are printed on separate lines: the indentation grows with their square. */
const mostLevels = 100

/** A value as JSON for people, indented by default. Never throws: prints `tooDeep` if it is nested too deeply. */
export function jsonText(value: unknown, indentation = 2, tooDeep = '…'): string {
  try {
    return JSON.stringify(value, null, isDeep(value) ? 0 : indentation) ?? ''
  } catch {
    return tooDeep
  }
}

/** Whether two values are the same JSON; false if that cannot be determined. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return false
  }
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > mostLevels) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
