import type { ToolSpecification } from '../core/tool-specification.ts'
import { Evidence, readMessages } from '../provenance/evidence.ts'
import { type Decided, valuesApproved, valuesEdited } from './decision-words.ts'
import type { Call, Entry, QuestionEntry } from './entry.ts'
import { type FileContents, listFiles, noFiles } from './file-content.ts'
import { isFromOutside } from './outside.ts'
import { beginsTurn } from './turn-start.ts'
import { typedWords } from './user-content.ts'

/**
 * The origin of everything in a transcript: what a person typed, what was sent, what tools returned, what files say.
 * `found`: entries that it leaves out, of which only what a person typed counts, and results of which it has briefs.
 */
export function projectEvidence(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  files: FileContents = noFiles,
  found: readonly Entry[] = [],
): Evidence {
  const evidence = new Evidence(tools)
  addSaidBefore(evidence, found)
  const whole = new Map(
    found.flatMap((entry) => (entry.type === 'result' ? [[entry.toolCallId, entry]] : [])),
  )
  const turnStart = entries.findLastIndex(beginsTurn)
  const calls = new Map<string, Call>()
  const questions = new Map<string, QuestionEntry>()
  const decisions = new Map<string, Extract<Entry, { type: 'decision' }>>()
  for (const [index, entry] of entries.entries()) {
    switch (entry.type) {
      case 'user-message':
        for (const text of entry.olderSaid ?? []) evidence.addMessage(text)
        readMessages(entry.earlier ?? [], evidence, Number.POSITIVE_INFINITY)
        if (entry.cut) evidence.addCutMessage(typedWords(entry.content), entry.cut.quotes)
        else evidence.addMessage(typedWords(entry.content))
        for (const { file_id, filename = 'file' } of listFiles(entry)) {
          evidence.addFile(file_id, filename, files.get(file_id)?.text ?? '')
        }
        break
      case 'client-call':
        evidence.addFromClient(entry.client.name, entry.rawArguments)
        break
      case 'run-start':
        if (entry.privateBefore) evidence.noteEarlier(entry.privateBefore)
        break
      case 'question':
        questions.set(entry.toolCallId, entry)
        break
      case 'decision':
        decisions.set(entry.toolCallId, entry)
        if (entry.by?.door === 'client') {
          evidence.addFromClient(entry.by.name ?? '', JSON.stringify(entry.values ?? {}))
          break
        }
        if (entry.reason) evidence.addWords(entry.reason)
        // Entering other addresses does not approve these.
        if (entry.decision === 'approve' && !entry.input) {
          const { addresses } = questions.get(entry.toolCallId) ?? {}
          if (addresses) evidence.addOpened(addresses)
        }
        break
      case 'call': {
        calls.set(entry.toolCallId, entry)
        const decision = decisions.get(entry.toolCallId)
        const question = questions.get(entry.toolCallId)
        if (decision && question) addDecided(evidence, { decision, question, call: entry })
        if (isVouchedFor(decision) && typeof entry.input === 'object') {
          const tool = tools.get(entry.toolName)
          if (tool) evidence.addApproved(tool, entry.input)
        }
        evidence.addCall(entry.input)
        break
      }
      case 'result': {
        const call = calls.get(entry.toolCallId)
        if (!call || entry.again) break
        if (isFromOutside(entry, call, tools.get(call.toolName))) evidence.noteOutside()
        if (!entry.result.ok) {
          if (entry.tries > 0) evidence.notePrivacy(call.toolName)
          break
        }
        const args = typeof call.input === 'object' ? call.input : {}
        const decision = decisions.get(entry.toolCallId)
        const { result } = (entry.brief && whole.get(entry.toolCallId)) || entry
        evidence.addOutput(call.toolName, args, result.ok ? result.data : null, {
          isEarlier: index < turnStart,
          isApproved: isVouchedFor(decision),
          isOnlyItself: decision?.by?.door === 'client',
        })
        break
      }
    }
  }
  return evidence
}

/** Whether a person has approved a call where we have shown it. In a program's own form, a yes is about that call alone. */
function isVouchedFor(decision: Extract<Entry, { type: 'decision' }> | undefined): boolean {
  return decision?.decision === 'approve' && decision.by?.door !== 'client'
}

function addSaidBefore(evidence: Evidence, entries: readonly Entry[]): void {
  const questions = new Map<string, QuestionEntry>()
  const decisions = new Map<string, Extract<Entry, { type: 'decision' }>>()
  for (const entry of entries) {
    if (entry.type === 'user-message') evidence.addSaidBefore(typedWords(entry.content))
    else if (entry.type === 'question') questions.set(entry.toolCallId, entry)
    else if (entry.type === 'decision') {
      decisions.set(entry.toolCallId, entry)
      if (entry.reason) evidence.addWords(entry.reason)
    } else if (entry.type === 'call') {
      const decision = decisions.get(entry.toolCallId)
      const question = questions.get(entry.toolCallId)
      if (decision && question) addDecided(evidence, { decision, question, call: entry })
    }
  }
  evidence.beginTranscript()
}

/** What a person typed into a form, has seen and approved, or replaced in the model's text. */
function addDecided(evidence: Evidence, decided: Decided): void {
  const { decision, question } = decided
  if (decision.by?.door === 'client') return
  if (decision.values) evidence.addTyped(decision.values)
  if (decision.decision !== 'approve') return
  evidence.addWords(JSON.stringify(valuesApproved(question)))
  // In a text that they corrected, the previous content is still the model's.
  const edited = valuesEdited(decided)
  const before = Object.keys(edited).map((name) => question.arguments[name])
  evidence.addWords(JSON.stringify(edited), JSON.stringify(before))
}
