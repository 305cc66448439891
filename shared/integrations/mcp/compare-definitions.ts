import type { Said } from '../../engine/core/asked.ts'
import { canonicalJson } from '../../engine/core/canonical-json.ts'
import { type Annotations, type ForeignTool, type Hint, hints } from './foreign-tool.ts'
import { refusedPlace } from './schema/refused-place.ts'

/**
 * What became of a tool since it was accepted. `words`: it works on as it was accepted, and the newer definition waits to be
 * accepted. `stricter`: its server claims less of it, which counts at once, so `inForce` has other annotations. `off`: its
 * server claims more, or no longer takes what was accepted: it is not called until somebody accepts that.
 */
export interface ToolChange {
  kind: 'unchanged' | 'words' | 'stricter' | 'off' | 'gone' | 'new'
  foreignName: string
  /** For people, one sentence for each thing that differs. */
  said: Said[]
  /** By what it is called now; absent if it is off, gone or not accepted yet. */
  inForce?: ForeignTool
  /** What there is to accept. */
  proposed?: ForeignTool
}

/** The value of a hint by which a server claims that less can go wrong. */
const laxValue: Readonly<Record<Hint, boolean>> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/**
 * The tools that were accepted beside those that the server lists now, by the names that they have there; accepted ones
 * first. A tool keeps the name by which models know it.
 */
export function compareDefinitions(
  accepted: readonly ForeignTool[],
  now: readonly ForeignTool[],
): ToolChange[] {
  const listed = new Map(now.map((tool) => [tool.foreignName, tool]))
  const known = new Set(accepted.map(({ foreignName }) => foreignName))
  return [
    ...accepted.map((tool) => compareTool(tool, listed.get(tool.foreignName))),
    ...now
      .filter(({ foreignName }) => !known.has(foreignName))
      .map(
        (tool): ToolChange => ({
          kind: 'new',
          foreignName: tool.foreignName,
          said: [{ code: 'foreign_tool_new', values: { tool: tool.title } }],
          proposed: tool,
        }),
      ),
  ]
}

function compareTool(before: ForeignTool, listed: ForeignTool | undefined): ToolChange {
  const { foreignName, name, title: tool } = before
  if (!listed) return { kind: 'gone', foreignName, said: [{ code: 'foreign_tool_gone', values: { tool } }] }
  const after = { ...listed, name }
  if (canonicalJson(before) === canonicalJson(after))
    return { kind: 'unchanged', foreignName, said: [], inForce: before }

  const laxer = hintsThat(before.annotations, after.annotations, (change) => change > 0)
  const stricter = hintsThat(before.annotations, after.annotations, (change) => change < 0)
  const place = refusedPlace(before.inputSchema, after.inputSchema)
  const hasOtherWords =
    canonicalJson({ ...before, annotations: {} }) !== canonicalJson({ ...after, annotations: {} })
  const said: Said[] = []
  if (laxer.length > 0) said.push({ code: 'foreign_claims_more', values: { tool, claims: laxer } })
  if (stricter.length > 0) said.push({ code: 'foreign_claims_less', values: { tool, claims: stricter } })
  if (place !== undefined) said.push({ code: 'foreign_tool_takes_less', values: { tool, place } })
  if (hasOtherWords && place === undefined) said.push({ code: 'foreign_words_changed', values: { tool } })

  if (laxer.length > 0 || place !== undefined) return { kind: 'off', foreignName, said, proposed: after }
  const annotations = { ...before.annotations }
  for (const hint of stricter) {
    const claim = after.annotations[hint]
    if (claim === undefined) delete annotations[hint]
    else annotations[hint] = claim
  }
  const kind = stricter.length > 0 ? 'stricter' : 'words'
  return {
    kind,
    foreignName,
    said,
    inForce: { ...before, annotations },
    ...(hasOtherWords ? { proposed: after } : {}),
  }
}

/** The hints that changed in one direction. */
function hintsThat(before: Annotations, after: Annotations, isMeant: (change: number) => boolean): Hint[] {
  return hints.filter((hint) => isMeant(laxity(hint, after[hint]) - laxity(hint, before[hint])))
}

/** A server that says nothing claims less than one that says it is harmless, and more than one that says it is not. */
function laxity(hint: Hint, claim: boolean | undefined): number {
  if (claim === undefined) return 1
  return claim === laxValue[hint] ? 2 : 0
}
