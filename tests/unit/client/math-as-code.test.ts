import { expect, it } from 'vitest'
import { formulaIn, mathAsCode } from '../../../client/react/chat/math-as-code.ts'

/** The formulas that Markdown will find as code. */
const formulas = (text: string) =>
  [...mathAsCode(text).matchAll(/`([\uE000\uE001][^`]*)`/g)].map(([, code = '']) => formulaIn(code))
const inLine = (tex: string) => ({ tex, isBlock: false })
const ofItsOwn = (tex: string) => ({ tex, isBlock: true })

it.each([
  ['the area is $\\pi r^2$.', [inLine('\\pi r^2')]],
  ['$x$ and the $n$th, or $5$', [inLine('x'), inLine('n'), inLine('5')]],
  ['\\(a_1\\) and \\[ E = mc^2 \\]', [inLine('a_1'), ofItsOwn('E = mc^2')]],
  ['$$\na\n\\frac{1}{2}\n$$', [ofItsOwn('a \\frac{1}{2}')]],
  ['> $$\n> x\n> $$', [ofItsOwn('x')]],
])('finds the formulas of %s', (text, found) => {
  expect(formulas(text)).toEqual(found)
})

it.each([
  'It costs $5 or $6.',
  'US$5 / US$6',
  'I paid $20, and she paid 30$.',
  'Set \\$HOME, then $PATH or $HOME',
  'Code: `$x^2$` and ``a `$y^2$` ``',
  '```\n$x^2$\n```',
  '~~~ sh\necho $$ $$',
  'an open $$ x^2',
  '$$\n\nx\n\n$$',
])('leaves %s as it is', (text) => {
  expect(mathAsCode(text)).toBe(text)
})
