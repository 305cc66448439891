/** Marks of formulas that stand in code, where Markdown leaves them as they are. */
const marks = { line: '\uE000', block: '\uE001' }

/** Code, which holds no formulas; then formulas of their own and in a line, as models write them. A blank line ends each. */
const parts =
  /(^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2|(?![\s\S]))|(`+)(?!`)[\s\S]{1,2000}?[^`]\3(?!`)|\\\$)|\$\$((?:(?!\n\s*\n|\$\$)[\s\S]){1,2000}?)\$\$|\\\[((?:(?!\n\s*\n)[\s\S]){1,2000}?)\\\]|\\\(((?:(?!\n\s*\n)[\s\S]){1,500}?)\\\)|\$(?!\s)((?:\\.|[^$\\\n`]){1,500}?)(?<!\s)\$(?!\d)/gm

/**
 * The text with its formulas as code, for `formulaIn` to find after Markdown was read.
 *
 * @example
 * mathAsCode('It costs $5 or $6, and $x^2$ is `$y^2$`') // the last but one is a formula
 */
export function mathAsCode(text: string): string {
  if (!/\$|\\[[(]/.test(text) || /[\uE000\uE001]/.test(text)) return text
  return text.replace(parts, (whole, code, _fence, _ticks, dollars, brackets, parentheses, dollar) => {
    if (code !== undefined) return whole
    const block = dollars ?? brackets
    const tex: string = block ?? parentheses ?? dollar
    // Money is no formula, and what has these cannot stand in code.
    if (tex.includes('`') || (dollar !== undefined && !isFormula(dollar))) return whole
    const mark = block === undefined ? marks.line : marks.block
    return `\`${mark}${tex.replaceAll(/\s*\n[\s>]*/g, ' ').trim()}\``
  })
}

/** The formula in a piece of code, if that is one. */
export function formulaIn(code: string): { tex: string; isBlock: boolean } | undefined {
  const isBlock = code.startsWith(marks.block)
  return isBlock || code.startsWith(marks.line) ? { tex: code.slice(1), isBlock } : undefined
}

/** Has an operator, or is a number or a letter: "20, and she paid 30" is none. */
function isFormula(tex: string): boolean {
  return /[\\^_={}<>+*/|]|\S-\S|\s-\s/.test(tex) || /^(?:[a-z]['′]?|[\d.,]+)$/i.test(tex)
}
