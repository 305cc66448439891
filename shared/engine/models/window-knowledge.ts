import type { RequestSize } from '../window/request-size.ts'
import { leastWindow } from './window-settings.ts'

/** How long a window that was learned counts: servers are started again with another one. In milliseconds. */
const learnedMs = 3_600_000
/** Tokens that a model reports for each that is estimated. */
const leastScale = 0.5
export const mostScale = 3
/** By how much a scale moves towards a lower report: what was read from a cache may be left out of one. */
const fall = 0.1
/** Of fewer tokens what a server adds is too large a part. */
const leastMeasured = 1000
/** Reports that are kept: the one of each number of tokens that came with the smallest request, the newest ones. */
const mostReports = 16
/** How much larger a request has to be that is reported with the same tokens. */
const growth = 1.25
const sameShare = 0.02

/** What was learned about the window of one model while using it. */
export interface WindowKnowledge {
  /** Tokens that it reports for each that is estimated: 0.5 to 3. */
  scale: number
  /** The scale by which requests were cut last. */
  cutScale: number
  /** It has reported some. */
  isMeasured: boolean
  /** The window, and until when it counts (milliseconds since the epoch). */
  learned: { window: number; until: number } | undefined
  /** The most tokens that it has reported of a request it answered, and until when that counts. */
  accepted: { tokens: number; until: number } | undefined
  /** Of requests to compare with, oldest first. */
  reports: readonly Report[]
}

/** What a model has reported of a request. */
interface Report extends RequestSize {
  /** Tokens. */
  reported: number
}

export function nothingLearned(): WindowKnowledge {
  return {
    scale: 1,
    cutScale: 1,
    isMeasured: false,
    learned: undefined,
    accepted: undefined,
    reports: [],
  }
}

/** The window that was learned, if it still counts. */
export function learnedWindow({ learned }: WindowKnowledge, now: number): number | undefined {
  return learned && learned.until > now ? learned.window : undefined
}

/** The most that it has reported in the last hour; 0 for nothing. */
export function acceptedTokens({ accepted }: WindowKnowledge, now: number): number {
  return accepted && accepted.until > now ? accepted.tokens : 0
}

/** Learns a window, never under what any model reads. */
export function learnWindow(knowledge: WindowKnowledge, window: number, now: number): number {
  const learned = Math.max(leastWindow, Math.floor(window))
  knowledge.learned = { window: learned, until: now + learnedMs }
  return learned
}

/** What a server says that a request had; `isLeast`: it had as many or more. */
export function learnScale(
  knowledge: WindowKnowledge,
  { estimated, reported }: Pick<Report, 'estimated' | 'reported'>,
  isLeast = false,
): void {
  if (estimated <= 0) return
  knowledge.scale = Math.min(mostScale, Math.max(leastScale, reported / estimated))
  knowledge.isMeasured ||= !isLeast
}

/**
 * Takes the tokens that a model reports of a request it has answered. Returns the window that the server cuts at without a
 * word: two requests have the same tokens, and one is a quarter larger, in no script smaller, and as large as all that the
 * model has read. `hasCached`: a part was read from a cache.
 */
export function learnFromReport(
  knowledge: WindowKnowledge,
  report: Report,
  { now, hasCached }: { now: number; hasCached: boolean },
): number | undefined {
  const { estimated, reported } = report
  if (reported <= 0) return undefined
  if (reported >= acceptedTokens(knowledge, now))
    knowledge.accepted = { tokens: reported, until: now + learnedMs }
  const { learned } = knowledge
  if (learned && learned.window < reported) learned.window = reported
  // A report of fewer leaves something out.
  if (estimated < leastMeasured || reported < leastMeasured / 2) return undefined
  const isLargest = estimated * knowledge.scale >= (1 - sameShare) * acceptedTokens(knowledge, now)
  const isCut = !hasCached && isLargest && knowledge.reports.some((before) => isCutLike(before, report))
  keep(knowledge, report)
  if (isCut) {
    // What was reported of requests that were cut says nothing about its tokens.
    knowledge.scale = 1
    knowledge.isMeasured = false
    knowledge.reports = []
    return learnWindow(knowledge, acceptedTokens(knowledge, now), now)
  }
  follow(knowledge, reported / estimated)
  return undefined
}

function isCutLike(before: Report, report: Report): boolean {
  return (
    report.estimated >= growth * before.estimated &&
    charactersOf(report) >= growth * charactersOf(before) &&
    hasSameTokens(before, report) &&
    hasAllOf(before, report)
  )
}

function hasSameTokens(before: Report, { reported }: Report): boolean {
  return Math.abs(reported - before.reported) <= sameShare * before.reported
}

/** By their language alone two texts of the same length differ by more in what is estimated. */
function charactersOf({ latin, others }: RequestSize): number {
  return latin + others
}

/** Whether a request is no smaller in any script: how many tokens another script has, each model decides for itself. */
function hasAllOf(before: RequestSize, { latin, others }: RequestSize): boolean {
  return latin >= before.latin && others >= before.others
}

/** A conversation that grows slowly has the same tokens many times: the smallest of its requests is enough. */
function keep(knowledge: WindowKnowledge, report: Report): void {
  const same = knowledge.reports.find((one) => hasSameTokens(one, report) && hasAllOf(one, report))
  const others = knowledge.reports.filter(
    (one) => one !== same && !(hasSameTokens(one, report) && hasAllOf(report, one)),
  )
  knowledge.reports = [...others, same ?? report].slice(-mostReports)
}

/** Up at once, down slowly; a report that leaves most out is none. */
function follow(knowledge: WindowKnowledge, ratio: number): void {
  if (ratio < leastScale) return
  const { scale } = knowledge
  knowledge.scale = Math.min(mostScale, ratio > scale ? ratio : scale + (ratio - scale) * fall)
  knowledge.isMeasured = true
}
