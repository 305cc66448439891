import { Parser } from 'htmlparser2'
import { type Attributes, type Sight, sightOf } from './hidden-element.ts'
import type { ParseTime } from './parse-time.ts'

/** A line of text as a page shows it: a paragraph, an item, the row of a table. */
export interface PageLine {
  text: string
  /** Characters of it that are links; none of a link that is more than a line, such as a card. */
  linked: number
  /** Inside `main` or `article`. */
  isMain: boolean
  /** Around the page's own content: its navigation, its footer, a banner. */
  isAround: boolean
}

/** Text that is in a page without being shown at first, under the id of its element. */
export interface SetAside {
  id: string
  kind: 'hidden' | 'template'
  lines: PageLine[]
}

/** What one pass over a page finds, without building a tree. */
export interface ScannedPage {
  title: string
  description: string
  /** What a visitor sees, in its order. */
  lines: PageLine[]
  held: SetAside[]
  /** For visitors without scripts. */
  withoutScripts: PageLine[]
  /** The texts of inline scripts, up to a limit. */
  scripts: string
  /** Scripts, or other documents in it. */
  hasMore: boolean
  /** JSON-LD, as it stands there. */
  data: string[]
  /** Where `meta refresh` leads. */
  leadsTo: string | undefined
  elements: number
  /** Elements, attributes, texts and comments: the size that a tree of it would have. */
  nodes: number
  depth: number
  /** Read to its end. */
  isWhole: boolean
}

/** Characters that are parsed between two checks of the clock. */
const pieceLength = 16_384
/** Nobody writes such pages by hand, and parsing time grows with the square of the depth. */
const deepest = 1_000
const mostNodes = 300_000
/** Hidden elements whose text is kept. */
const mostHeld = 1_000
/** Characters of scripts and of data that are kept. */
const longestScripts = 500_000
const longestData = 50_000

const set = (names: string) => new Set(names.split(' '))
const unread = set('script style svg select datalist textarea iframe object audio video canvas')
const blocks = set(
  'p div section article main header aside details summary dl dt dd figure figcaption form fieldset legend li ul ol table caption tr h1 h2 h3 h4 h5 h6 br hr pre blockquote address button label nav footer body',
)
const cells = set('td th')
const embedding = set('iframe frame object embed canvas')
const whole = set('html body main article')
const around = set('nav footer')
const aroundRoles = set('navigation contentinfo search dialog alertdialog menu menubar')
/** Characters of a banner. */
const longestBanner = 1_000
/** Names that only what lies over or around a page's content has. */
const aroundNames =
  /cookie|consent|gdpr|(?:^|[\s_-])(?:banner|popup|modal|breadcrumbs?|newsletter|advert\w*|sponsored)(?:$|[\s_-])/i

type Zone = 'shown' | 'withoutScripts' | 'nowhere' | SetAside

/** An open element. */
interface Frame {
  name: string
  zone: Zone
  link: Link | undefined
  isMain: boolean
  /** Its line breaks count. */
  isPre: boolean
  /** The text directly in it has no size. */
  isTiny: boolean
  /** The outermost element around the content that it lies in. */
  box: Box | undefined
}

const outermost: Frame = {
  name: '',
  zone: 'shown',
  link: undefined,
  isMain: false,
  isPre: false,
  isTiny: false,
  box: undefined,
}

interface Link {
  /** Lines that it has text in. */
  lines: Set<OpenLine>
}

interface Box {
  /** Its element says so; otherwise only its name does. */
  isDeclared: boolean
  /** A heading of the page itself is in it. */
  hasHeading: boolean
  /** Characters in it. */
  size: number
}

interface OpenLine {
  texts: string[]
  links: { link: Link; characters: number }[]
  isMain: boolean
  box: Box | undefined
}

class EndOfScan extends Error {}

/** Reads a page in chunks until it ends or gets too large; what was read until then counts. Throws OutOfTime. */
export function scanPage(html: string, time: ParseTime): ScannedPage {
  const scan = new Scan()
  const parser = new Parser(scan)
  try {
    for (let at = 0; at < html.length; at += pieceLength)
      time.spend(() => parser.write(html.slice(at, at + pieceLength)))
    time.spend(() => parser.end())
    scan.page.isWhole = true
  } catch (error) {
    if (!(error instanceof EndOfScan)) throw error
  }
  return time.spend(() => scan.end())
}

class Scan {
  page: ScannedPage = {
    title: '',
    description: '',
    lines: [],
    held: [],
    withoutScripts: [],
    scripts: '',
    hasMore: false,
    data: [],
    leadsTo: undefined,
    elements: 0,
    nodes: 0,
    depth: 0,
    isWhole: false,
  }
  private readonly open: Frame[] = []
  private readonly lines = new Map<Zone, OpenLine[]>()
  private readonly seenIds = new Set<string>()
  private readonly styles = new Map<string, Sight>()
  private script: 'script' | 'data' | undefined
  private isTitle = false

  private get frame(): Frame {
    return this.open.at(-1) ?? outermost
  }

  onopentag(name: string, attributes: Attributes): void {
    const { page } = this
    page.elements++
    this.count()
    const outer = this.frame
    const sight = sightOf(attributes, this.styles)
    const zone = this.zoneOf(name, attributes, outer, sight)
    if (attributes.id) this.seenIds.add(attributes.id)
    const box = outer.box ?? boxOf(name, attributes)
    const frame: Frame = {
      name,
      zone,
      link: name === 'a' ? { lines: new Set() } : outer.link,
      isMain: outer.isMain || name === 'main' || name === 'article' || attributes.role === 'main',
      isPre: outer.isPre || name === 'pre',
      isTiny: sight.isTiny,
      box,
    }
    this.open.push(frame)
    page.depth = Math.max(page.depth, this.open.length)
    if (this.open.length > deepest) throw new EndOfScan()
    if (name === 'h1' && box && zone === 'shown') box.hasHeading = true
    if (blocks.has(name)) this.break(zone)
    else if (cells.has(name)) this.write(zone, ' | ', true)
    this.readHead(name, attributes)
  }

  ontext(text: string): void {
    this.count()
    const { page } = this
    if (this.isTitle) page.title += text
    else if (this.script === 'data') page.data.push(text)
    else if (this.script === 'script') {
      if (page.scripts.length < longestScripts) page.scripts += text
    } else if (!this.frame.isTiny)
      this.write(this.frame.zone, this.frame.isPre ? text : text.replace(/\s+/g, ' '))
  }

  onattribute(): void {
    this.count()
  }

  oncomment(): void {
    this.count()
  }

  onclosetag(name: string): void {
    const closed = this.open.pop()
    if (closed && blocks.has(name)) this.break(closed.zone)
    if (name === 'title') this.isTitle = false
    if (name === 'script') this.script = undefined
  }

  end(): ScannedPage {
    const linesIn = (zone: Zone): PageLine[] => {
      const lines = (this.lines.get(zone) ?? []).flatMap((line) => {
        const text = tidy(line.texts.join(''))
        if (line.box) line.box.size += text.length
        return text === '' ? [] : [{ ...line, text }]
      })
      return lines.map(lineOf)
    }
    const { page } = this
    page.lines = linesIn('shown')
    page.withoutScripts = linesIn('withoutScripts')
    for (const held of page.held) held.lines = linesIn(held)
    page.title = tidy(page.title).slice(0, 300)
    page.data = page.data.join('').length > longestData ? [] : page.data
    return page
  }

  private count(): void {
    if (++this.page.nodes > mostNodes) throw new EndOfScan()
  }

  private zoneOf(name: string, attributes: Attributes, { zone }: Frame, { isHidden }: Sight): Zone {
    if (zone === 'nowhere' || unread.has(name)) return 'nowhere'
    // A page whose body is hidden until a script has run would otherwise be empty.
    if (name === 'html' || name === 'body') return zone
    if (name === 'noscript') return zone === 'shown' ? 'withoutScripts' : 'nowhere'
    const isTemplate = name === 'template'
    if (isTemplate && (attributes.shadowrootmode ?? attributes.shadowroot) !== undefined) return zone
    if (name === 'dialog' && attributes.open === undefined) return 'nowhere'
    if (!isTemplate && !isHidden) return zone
    return zone === 'shown' ? this.hold(isTemplate ? 'template' : 'hidden', attributes.id) : 'nowhere'
  }

  /** Only the first element with an id is the one that a script means. */
  private hold(kind: SetAside['kind'], id = ''): Zone {
    if (id === '' || this.seenIds.has(id) || this.page.held.length === mostHeld) return 'nowhere'
    const held: SetAside = { id, kind, lines: [] }
    this.page.held.push(held)
    return held
  }

  private readHead(name: string, attributes: Attributes): void {
    const { page } = this
    if (name === 'title' && page.title === '' && !this.open.some((frame) => frame.name === 'svg'))
      this.isTitle = true
    if (name === 'script')
      this.script = attributes.type?.toLowerCase() === 'application/ld+json' ? 'data' : 'script'
    if (this.script === 'script' || embedding.has(name)) page.hasMore = true
    if (name !== 'meta') return
    if (/^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? ''))
      page.description ||= attributes.content ?? ''
    if (attributes['http-equiv']?.toLowerCase() === 'refresh')
      page.leadsTo ??= placeAfterTime(attributes.content ?? '')
  }

  private linesOf(zone: Zone): OpenLine[] {
    const lines = this.lines.get(zone) ?? []
    this.lines.set(zone, lines)
    return lines
  }

  private break(zone: Zone): void {
    if (zone === 'nowhere') return
    const { isMain, box } = this.frame
    const lines = this.linesOf(zone)
    const last = lines.at(-1)
    if (last && last.texts.length === 0) Object.assign(last, { isMain, box })
    else lines.push({ texts: [], links: [], isMain, box })
  }

  /** Between two cells only if the row has begun. */
  private write(zone: Zone, text: string, isBetween = false): void {
    if (zone === 'nowhere') return
    const lines = this.linesOf(zone)
    if (lines.length === 0) this.break(zone)
    const line = lines.at(-1)
    if (!line || (isBetween && line.texts.length === 0) || (text.trim() === '' && line.texts.length === 0))
      return
    line.texts.push(text)
    const { link } = this.frame
    if (!link || text.trim() === '') return
    link.lines.add(line)
    line.links.push({ link, characters: text.trim().length })
  }
}

/** Where `5; url=https://example.com/` leads. */
function placeAfterTime(content: string): string | undefined {
  const written = /^[\s\d.]*[;,](.*)$/s.exec(content)?.[1]?.trim()
  const place = written?.replace(/^url\s*=\s*/i, '').replace(/^["']|["']$/g, '')
  return place || undefined
}

function boxOf(name: string, { role, class: names = '', id = '' }: Attributes): Box | undefined {
  if (whole.has(name)) return undefined
  const isDeclared = around.has(name) || aroundRoles.has(role ?? '')
  const isNamed = (names !== '' && aroundNames.test(names)) || (id !== '' && aroundNames.test(id))
  return isDeclared || isNamed ? { isDeclared, hasHeading: false, size: 0 } : undefined
}

/** A large part, or one with the page's heading, is no banner, whatever it is called. */
function isAround({ isDeclared, hasHeading, size }: Box): boolean {
  return isDeclared || (!hasHeading && size <= longestBanner)
}

function lineOf({ text, links, isMain, box }: OpenLine & { text: string }): PageLine {
  const ownLinks = links.filter(({ link }) => link.lines.size === 1)
  const linked = ownLinks.reduce((sum, { characters }) => sum + characters, 0)
  return { text, linked, isMain, isAround: box !== undefined && isAround(box) }
}

/** One space between words, no empty lines. */
function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
