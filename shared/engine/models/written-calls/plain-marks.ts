import { dialects } from './families.ts'
import { isMention } from './marks.ts'

/** Most texts have no mark of any dialect. */
const anyMark = new RegExp(dialects.map(([own]) => own.source).join('|'))

/** Marks beyond these are left alone, which bounds the time for hostile texts. */
const most = 500

/**
 * A text in which the marks of dialects are written as other families write them; marks that are only spoken of stay.
 *
 * @example
 * plainMarks('<ifm|tool_call>now</ifm|tool_call>') // => '<tool_call>now</tool_call>'
 */
export function plainMarks(text: string): string {
  if (!anyMark.test(text)) return text
  let plain = text
  let marks = 0
  for (const [own, common] of dialects) {
    plain = plain.replace(own, (mark, ...rest) => {
      if (++marks > most) return mark
      const at = rest.findIndex((one) => typeof one === 'number')
      if (isMention(plain, rest[at], rest[at] + mark.length)) return mark
      return at === 0 ? common : common.replace('$1', () => rest[0])
    })
  }
  return plain
}
