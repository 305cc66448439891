/** The lines that a text loses (`- `) and gains (`+ `), in their order. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  // For each pair of places: how many lines what follows them has in common, in the same order.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(`- ${old[i++]}`)
    else lines.push(`+ ${now[j++]}`)
  }
  return lines
}
