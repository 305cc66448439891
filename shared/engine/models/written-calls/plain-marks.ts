import { dialects } from './families.ts'
import { isMention } from './marks.ts'

/** What every mark of a dialect holds: most texts have none of it. */
const mayBeDialect =
  /<\/?ifm\||｜GCML|\[unused1|\]<\]|<\|(?:open|close|begin|end_of_box|tool_|content_|message_model)|<\/?(?:think|tool_|arg_)\w{0,10}:|<tool_call>\s{0,8}function\n|assistant -> tool/

/** Marks beyond these are left alone, which bounds the time for hostile texts. */
const most = 500

/**
 * A text in which the marks of dialects are written as other families write them; marks that are only spoken of stay.
 *
 * @example
 * plainMarks('<ifm|tool_call>now</ifm|tool_call>') // => '<tool_call>now</tool_call>'
 */
export function plainMarks(text: string): string {
  if (!mayBeDialect.test(text)) return text
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
