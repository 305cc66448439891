/** Declarations of one element, without what says nothing about whether it can be seen. */
export type Declarations = { name: string; value: string; isImportant: boolean }[]

/** An element, as far as a selector can ask. */
export interface StyledElement {
  tag: string
  id: string
  classes: ReadonlySet<string>
  parent: StyledElement | undefined
  /** The elements with the same parent, of which `position` stand before it. */
  siblings: readonly StyledElement[]
  position: number
}

/** Which of the rules of some style sheets apply to an element, weakest first. */
export type FindRules = (element: StyledElement) => Declarations[]

/** Steps of matching were used up: the sheet was made to be slow. */
export class TooManyRules extends Error {
  override name = 'TooManyRules'
}

interface Compound {
  tag: string
  id: string
  classes: string[]
  /** How the compound before it is found. */
  combinator: ' ' | '>' | '+' | '~'
}

interface Rule {
  compounds: Compound[]
  specificity: number
  order: number
  declarations: Declarations
}

/** Properties that can hide a text. */
const telling =
  /^(?:display|visibility|opacity|font|font-size|color|background|background-color|background-image|(?:max-)?(?:height|width)|line-height|filter|-webkit-text-fill-color|overflow(?:-[xy])?|text-indent|position|left|top|right|margin-(?:left|top)|clip|clip-path|transform|content-visibility)$/

/** Steps of matching for one mail: the largest newsletters take some ten thousand. */
const mostSteps = 200_000
/** Characters of styles that are read. */
const longest = 100_000

/** Reads `name: value; …`, from a style attribute or a rule. */
export function readDeclarations(text: string): Declarations {
  return withoutEscapes(withoutComments(text))
    .split(';')
    .flatMap((one) => {
      const colon = one.indexOf(':')
      const name = one.slice(0, colon).trim().toLowerCase()
      if (colon < 1 || !telling.test(name)) return []
      const written = one
        .slice(colon + 1)
        .trim()
        .toLowerCase()
      const value = written.replace(/!\s{0,20}important$/, '').trim()
      return [{ name, value, isImportant: value !== written }]
    })
}

/**
 * The rules of style sheets that hold on a large screen, as mail programs apply them: selectors by tag, class and id, with
 * combinators. Other selectors, and rules for phones, printers or a dark mode, apply to nothing.
 */
export function readStyles(css: string): FindRules {
  const rules: Rule[] = []
  addRules(withoutComments(css.slice(0, longest)), rules)
  const byKey = new Map<string, Rule[]>()
  for (const rule of rules) {
    const key = keyOf(rule.compounds.at(-1) as Compound)
    const same = byKey.get(key)
    if (same) same.push(rule)
    else byKey.set(key, [rule])
  }
  let steps = mostSteps
  const spend = () => {
    if (--steps < 0) throw new TooManyRules()
  }
  return (element) => {
    if (byKey.size === 0) return []
    const keys = [element.tag, `#${element.id}`, ...[...element.classes].map((name) => `.${name}`), '*']
    const found = keys.flatMap((key) =>
      (byKey.get(key) ?? []).filter((rule) => matches(rule, element, spend)),
    )
    return found
      .sort((a, b) => a.specificity - b.specificity || a.order - b.order)
      .map(({ declarations }) => declarations)
  }
}

function withoutComments(css: string): string {
  let [rest, at] = ['', 0]
  for (;;) {
    const start = css.indexOf('/*', at)
    // Old pages hide their styles in HTML comments.
    if (start === -1) return (rest + css.slice(at)).replace(/<!--|-->/g, '')
    rest += css.slice(at, start)
    const end = css.indexOf('*/', start + 2)
    if (end === -1) return rest
    at = end + 2
  }
}

function addRules(css: string, rules: Rule[]): void {
  let at = 0
  while (at < css.length) {
    const open = css.indexOf('{', at)
    if (open === -1) return
    const head = css
      .slice(at, open)
      .replace(/^(?:\s*@[^;{]*;)+/, '')
      .trim()
    const end = endOfBlock(css, open)
    const body = css.slice(open + 1, end)
    if (!head.startsWith('@')) addRule(head, body, rules)
    else if (isOfLargeScreen(head)) addRules(body, rules)
    at = end + 1
  }
}

/** Pixels of the screen that rules are read for. */
const screenWidth = 1280

/** Whether the rules in an at-rule hold: as mail programs know queries, by the kind of medium, its width and its mode. */
function isOfLargeScreen(head: string): boolean {
  if (/^@(?:layer|supports)\b/i.test(head)) return true
  const queries = /^@media\b(.*)$/is.exec(head)?.[1]?.toLowerCase().split(',') ?? []
  return queries.some((query) =>
    query.split(/\band\b/).every((part) => {
      const feature = part.trim().replace(/^only\s+/, '')
      if (feature === 'screen' || feature === 'all') return true
      const [, side, size] =
        /^\(\s*(min|max)-(?:device-)?width\s*:\s*(\d+(?:\.\d+)?)px\s*\)$/.exec(feature) ?? []
      if (size !== undefined)
        return side === 'min' ? Number(size) <= screenWidth : Number(size) >= screenWidth
      return /^\(\s*prefers-color-scheme\s*:\s*light\s*\)$/.test(feature)
    }),
  )
}

/** Letters may be written by their number. */
function withoutEscapes(css: string): string {
  if (!css.includes('\\')) return css
  return css.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_, hex, character) =>
    hex === undefined ? character : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
  )
}

/** Where the block that begins at `open` ends: the place of its brace. */
function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++
    else if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}

function addRule(head: string, body: string, rules: Rule[]): void {
  const declarations = readDeclarations(body)
  if (declarations.length === 0) return
  for (const selector of head.split(',')) {
    const compounds = readSelector(selector.trim())
    if (!compounds) continue
    const count = (pick: (one: Compound) => number) => compounds.reduce((sum, one) => sum + pick(one), 0)
    const specificity =
      count(({ id }) => (id ? 1 : 0)) * 10_000 +
      count(({ classes }) => classes.length) * 100 +
      count(({ tag }) => (tag ? 1 : 0))
    rules.push({ compounds, specificity, order: rules.length, declarations })
  }
}

/** Undefined for a selector that asks for more than tags, classes and ids. */
function readSelector(selector: string): Compound[] | undefined {
  const parts = selector
    .replace(/\s+/g, ' ')
    .replace(/ ?([>+~]) ?/g, '$1')
    .match(/[>+~\s]?[^>+~\s]+/g)
  const compounds = (parts ?? []).map((part): Compound | undefined => {
    const combinator = /^[>+~]/.exec(part)?.[0] as Compound['combinator'] | undefined
    const simple = part.replace(/^[>+~\s]/, '')
    if (!/^(?:\*|[a-z][\w-]*)?(?:[.#][\w-]+)*$/i.test(simple)) return undefined
    return {
      tag: (/^[a-z][\w-]*/i.exec(simple)?.[0] ?? '').toLowerCase(),
      id: /#([\w-]+)/.exec(simple)?.[1] ?? '',
      classes: (simple.match(/\.[\w-]+/g) ?? []).map((name) => name.slice(1)),
      combinator: combinator ?? ' ',
    }
  })
  const known = compounds.filter((one) => one !== undefined)
  return known.length > 0 && known.length === compounds.length ? known : undefined
}

/** By what the rules for an element are found. */
function keyOf({ tag, id, classes: [name] }: Compound): string {
  return id ? `#${id}` : name ? `.${name}` : tag || '*'
}

/** Whether a rule applies, from its last compound backwards. */
function matches({ compounds }: Rule, element: StyledElement, spend: () => void): boolean {
  const isHere = (at: number, one: StyledElement): boolean => {
    spend()
    const { tag, id, classes, combinator } = compounds[at] as Compound
    if ((tag && tag !== one.tag) || (id && id !== one.id)) return false
    if (!classes.every((name) => one.classes.has(name))) return false
    if (at === 0) return true
    for (const place of placesOf(combinator, one)) if (isHere(at - 1, place)) return true
    return false
  }
  return isHere(compounds.length - 1, element)
}

function* placesOf(
  combinator: Compound['combinator'],
  { parent, siblings, position }: StyledElement,
): Iterable<StyledElement> {
  if (combinator === '>') {
    if (parent) yield parent
  } else if (combinator === ' ') for (let one = parent; one; one = one.parent) yield one
  else {
    const first = combinator === '+' ? Math.max(0, position - 1) : 0
    for (let at = first; at < position; at++) yield siblings[at] as StyledElement
  }
}
