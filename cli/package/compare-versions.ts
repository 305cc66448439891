/** Below 0 if version `a` is older than `b`, 0 if they are the same. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
