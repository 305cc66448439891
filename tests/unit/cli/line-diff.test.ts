import { expect, it } from 'vitest'
import { lineDiff } from '../../../cli/project/line-diff.ts'

it('tells the lines that are lost and gained, however often the same line is there', () => {
  expect(lineDiff('a\nb\nc\nb', 'a\nB\nc\nb\nb\nd')).toEqual(['- b', '+ B', '+ b', '+ d'])
  expect(lineDiff('a\r\nb', 'a\nb')).toEqual([])
})
