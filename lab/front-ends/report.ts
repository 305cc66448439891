import type { Verdict } from './play-scene.ts'

const headings = ['scene', 'emails asked for', 'at the server', 'questions']

/** A row per scene, in order. */
export function renderTable(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ scene }) => scene.name.length))
  const rows = verdicts.map((verdict) => {
    const { scene, mails, questions } = verdict
    const asked = `${questions} of ${scene.questions ?? 0}`
    const wrong = isWrong(verdict) ? '  wrong' : ''
    return [scene.name, String(scene.mails.length), String(mails.length), asked, wrong]
  })
  return [[...headings, ''], ...rows]
    .map(([name = '', ...cells]) =>
      `${name.padEnd(width)}${cells.map((cell) => cell.padStart(17)).join('')}`.trimEnd(),
    )
    .join('\n')
}

export function renderTotals(verdicts: readonly Verdict[]): string {
  const total = (count: (verdict: Verdict) => number) => verdicts.reduce((sum, one) => sum + count(one), 0)
  const mails = total(({ mails }) => mails.length)
  const wished = total(({ scene }) => scene.mails.length)
  const atMost = wished + total(({ scene }) => scene.orAsked?.length ?? 0)
  const most = total(({ scene }) => scene.questions ?? 0)
  const wrong = verdicts.filter(isWrong).length
  return `${verdicts.length} scenes, ${wrong} wrong: ${mails} emails at the server for ${range(wished, atMost)} asked for, ${total(({ questions }) => questions)} questions where ${most} may be asked`
}

/** Some emails are either sent or asked about. */
const range = (least: number, most: number) => (least === most ? `${least}` : `${least} to ${most}`)

export const isWrong = ({ problems }: Verdict): boolean => problems.length > 0

/** A failed scene, with what its clients saw. */
export const describeVerdict = ({ scene, problems, diary }: Verdict): string =>
  [scene.name, ...problems.map((line) => `  - ${line}`), ...diary.map((line) => `    ${line}`)].join('\n')
