import fc from 'fast-check'

/** Arguments with keys and texts that look like syntax. */
const nasty = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  '```json\n',
  '\\',
  ':',
  ',',
  '//',
  '# ',
  '/*',
  '\n',
  'True',
  '{"a":1}',
)
const text = fc.oneof(
  fc.string(),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((parts) => parts.join('')),
)
const key = fc
  .oneof(fc.stringMatching(/^[a-z_]{1,6}$/), text)
  .filter((name) => name !== '__proto__' && name !== 'constructor')
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any

export const toolArguments = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true })

/** How a model may write the same arguments; each switch is one lossless decoration. */
export const style = fc.record({
  singleQuotes: fc.boolean(),
  bareNames: fc.boolean(),
  python: fc.boolean(),
  rawBreaks: fc.boolean(),
  escapedApostrophes: fc.boolean(),
  trailingCommas: fc.boolean(),
  doubledCommas: fc.boolean(),
  blank: fc.constantFrom('', ' ', '\n  ', '/* a note, {"b": */', '// note\n', '# note\n'),
  wrapping: fc.constantFrom(
    (written: string) => written,
    (written: string) => `\ufeff${written}`,
    (written: string) => `\`\`\`json\n${written}\n\`\`\``,
    (written: string) => `\`\`\`\n${written}`,
    (written: string) => `Here is the call:\n${written}`,
    (written: string) => `${written}\nThat is all. <|eot_id|>`,
    (written: string) => `${written}}]}`,
    (written: string) => JSON.stringify(written),
    (written: string) => JSON.stringify(JSON.stringify(written)),
  ),
})

export type Style = typeof style extends fc.Arbitrary<infer T> ? T : never

/** Writes a value in a style. */
export function write(value: unknown, style: Style): string {
  const { blank } = style
  const comma = style.doubledCommas ? ',,' : ','
  const last = style.trailingCommas ? `${blank},${blank}` : blank
  if (typeof value === 'string') return writeText(value, style)
  if (typeof value !== 'object' || value === null) return writeLiteral(value, style)
  if (Array.isArray(value)) {
    const items = value.map((item) => blank + write(item, style)).join(comma)
    return `[${items}${value.length > 0 ? last : blank}]`
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${blank}${writeName(name, style)}${blank}:${blank}${write(member, style)}`,
  )
  return `{${members.join(comma)}${members.length > 0 ? last : blank}}`
}

function writeLiteral(value: unknown, style: Style): string {
  const written = JSON.stringify(value)
  const python: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return (style.python && python[written]) || written
}

/** A line break of a name stays escaped: a raw one may be the place where two quotes were lost. */
function writeName(name: string, style: Style): string {
  return style.bareNames && /^[a-z_]+$/.test(name) ? name : writeText(name, { ...style, rawBreaks: false })
}

function writeText(value: string, style: Style): string {
  let inside = JSON.stringify(value).slice(1, -1)
  if (style.rawBreaks) inside = inside.replace(/((?:^|[^\\])(?:\\\\)*)\\n/g, '$1\n')
  if (style.singleQuotes) return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  return `"${style.escapedApostrophes ? inside.replaceAll("'", "\\'") : inside}"`
}
