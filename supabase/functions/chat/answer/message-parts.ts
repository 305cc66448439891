import type { MessageData } from '../../../../shared/api/message-data.ts'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import { canonicalJson } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import { describePending, summaryOf } from '../../../../shared/engine/transcript/answer.ts'
import { isPersons } from '../../../../shared/engine/transcript/answered-calls.ts'
import type {
  Call,
  Closed,
  DecisionEntry,
  Entry,
  PriorWrite,
  QuestionEntry,
  Result,
  RunEnd,
} from '../../../../shared/engine/transcript/entry.ts'
import { fillOpenFields } from '../../../../shared/engine/transcript/open-fields.ts'
import { sayError, sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import { wordsOfQuestion } from '../../../../shared/engine/transcript/question-words.ts'
import { namedInput } from '../../../../shared/engine/wording/call-values.ts'
import { askedOf } from '../../../../shared/engine/wording/question-for-people.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { pastFor } from '../../../../shared/words/languages/in-english.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import { closedWords } from './closed-words.ts'
import { type CallPart, isOpen, type MessagePart, type PartChange, PartList } from './part-list.ts'
import { findSources, mostSources } from './sources.ts'

/** Bytes of JSON that one tool output may take in a message: clients send every message again with each request. */
const outputLimit = 32 * 1024

export function textPart(text: string): MessagePart {
  return { type: 'text', text, state: 'done' }
}

/**
 * Builds the parts of an assistant message, entry by entry: a step for each model reply, one part for each call, which
 * is closed in place, data parts for repairs, errors, waits and other models. The run's final words come last: in a step
 * of their own, or beside the approvals that they ask for, followed by their sources. Everything is added at the end, so
 * that a stream can report it as it happens.
 */
export class MessageParts {
  private readonly parts: PartList
  private readonly tools: ReadonlyMap<string, ToolSpecification>
  private readonly language: Language
  /** What the model has written of a step; it counts when the step ends. */
  private step: { thought: string; text: string; calls: Call[] } | undefined
  private readonly calls = new Map<string, Call>()
  private readonly waiting = new Map<string, QuestionEntry>()
  /** What the cards of calls showed that the user then edited. */
  private readonly shown = new Map<string, Record<string, unknown>>()
  /** Calls about which somebody was asked, and answered. */
  private readonly answered = new Set<string>()
  /** What calls would have done that were denied. */
  private readonly denied = new Map<string, string | undefined>()
  /** Calls that the user continued without. */
  private readonly skipped = new Set<string>()
  /** Sources that the answer can name, by URL or title. */
  private readonly sources = new Map<string, MessagePart>()
  /** The model's last words, and their part while they may be the run's. */
  private said = ''
  private finalText: MessagePart | undefined

  /** `tools` by name, for forms; `language`: of the reader. */
  constructor(
    tools: ReadonlyMap<string, ToolSpecification>,
    language: Language,
    onChange: (change: PartChange) => void = () => {},
  ) {
    this.tools = tools
    this.language = language
    this.parts = new PartList(onChange)
  }

  get list(): readonly MessagePart[] {
    return this.parts.parts
  }

  add(entry: Entry): void {
    switch (entry.type) {
      case 'run-start':
        this.step = undefined
        for (const write of entry.priorWrites ?? []) this.putDoneBefore(write)
        break
      case 'step-start':
        this.step = { thought: '', text: '', calls: [] }
        break
      case 'thought':
        if (this.step) this.step.thought += entry.text
        break
      case 'model-text':
        if (this.step) this.step.text += entry.text
        break
      case 'call':
        if (this.step) this.step.calls.push(entry)
        else {
          this.putCall(entry)
          this.putFacts(entry)
          this.putRepairs(entry)
        }
        break
      case 'step-end':
        this.endStep()
        break
      case 'wait': {
        const { toolCallId, waitMs } = entry
        this.parts.putData('wait', toolCallId, { toolCallId, waitMs })
        break
      }
      case 'result':
        this.closeCall(entry)
        break
      case 'question':
        this.ask(entry)
        break
      case 'decision':
        this.decide(entry)
        break
      case 'closed':
        this.closeItem(entry)
        break
      case 'nudge':
        // The model is asked again because of a bad answer.
        if (entry.stall !== 'repetition') this.withdrawText()
        break
      case 'notice':
        // The reason stays in the entry: such servers quote what they were sent.
        if (entry.notice === 'model-switch') {
          const data: MessageData['model-switch'] = { from: entry.from, to: entry.to }
          this.parts.add({ type: 'data-model-switch', data })
        }
        break
      case 'run-end':
        this.endRun(entry)
    }
  }

  /** What a replaced answer to the same message did. */
  private putDoneBefore({
    toolName,
    toolCallId,
    arguments: args,
    status = 'succeeded',
    done,
    summary,
  }: PriorWrite): void {
    if (toolCallId === undefined || status !== 'succeeded') return
    const tool = this.tools.get(toolName)
    const input = tool && namedInput(tool, args, [])
    const line = summaryOf({ toolName, input, done, summary }, this.tools, this.language)
    const data = { toolCallId, toolName, ...(input && { input }), summary: line }
    this.parts.putData('done-before', toolCallId, data)
  }

  private endStep(): void {
    const { thought, text, calls } = this.step ?? { thought: '', text: '', calls: [] }
    this.step = undefined
    this.finalText = undefined
    const hasText = text.trim() !== ''
    if (hasText || thought !== '' || calls.length > 0) {
      this.parts.add({ type: 'step-start' })
      if (thought !== '') this.parts.add({ type: 'reasoning', text: thought, state: 'done' })
    }
    if (hasText) {
      const part = textPart(text)
      this.parts.add(part)
      this.said = text
      if (calls.length === 0) this.finalText = part
    }
    for (const call of calls) this.putCall(call)
    for (const call of calls) {
      this.putFacts(call)
      this.putRepairs(call)
    }
  }

  /** A call of the model, or one that a decision allows to continue. */
  private putCall(call: Call): void {
    const { toolCallId, toolName, input } = call
    this.calls.set(toolCallId, call)
    const callPart = this.parts.findCall(toolCallId)
    // A skipped call has no value in its open place.
    const shown = callPart && this.skipped.has(toolCallId) ? callPart.input : input
    const part = { type: `tool-${toolName}`, toolCallId, state: 'input-available', input: shown }
    if (callPart) this.parts.putLast(withApproval(part, callPart), callPart)
    else this.parts.add(part)
  }

  /** What we know of a call besides, in a part of its own, since clients refuse new members in others. */
  private putFacts(call: Call, { summary, unasked }: { summary?: string; unasked?: true } = {}): void {
    const { toolCallId, intent, startedAt } = call
    const edited = this.listEdited(call)
    const past = this.pastOf(call)
    this.parts.putData('call', toolCallId, {
      toolCallId,
      intent,
      startedAt,
      summary,
      past,
      statement: this.denied.get(toolCallId),
      unasked,
      edited: edited.length > 0 ? edited : undefined,
    })
  }

  /** What it is once it is made, for receipts. */
  private pastOf({ toolName, input }: Call): string | undefined {
    return pastFor(this.language, toolName, {
      tool: this.tools.get(toolName),
      input: isObject(input) ? input : {},
    })
  }

  /** What the user changed on the card of a call, and what stood there before. */
  private listEdited({ toolCallId, input }: Call): { name: string; before?: unknown }[] {
    const shown = this.shown.get(toolCallId)
    if (!shown || !isObject(input)) return []
    return [...new Set([...Object.keys(shown), ...Object.keys(input)])]
      .filter((name) => canonicalJson(shown[name]) !== canonicalJson(input[name]))
      .map((name) => (shown[name] === undefined ? { name } : { name, before: shown[name] }))
  }

  private putRepairs({ toolCallId, repairs }: Call): void {
    if (repairs.length > 0) this.parts.putData('repair', toolCallId, { toolCallId, repairs })
  }

  private closeCall({ toolCallId, result, done, summary, again }: Result): void {
    const callPart = this.parts.findCall(toolCallId)
    if (!callPart) return
    const { type, input } = callPart
    if (result.ok) {
      // It had been done before a person said no to doing it again: that no is not about what is shown.
      const asked = callPart.approval?.approved === false ? {} : callPart
      const output = shortenOutput(result.data ?? null, outputLimit).data
      const part = { type, toolCallId, input, state: 'output-available', output }
      this.parts.replace(callPart, withApproval(part, asked))
      const call = this.calls.get(toolCallId)
      const unasked = call?.effect === 'write' && !again && !this.answered.has(toolCallId)
      if (call && ((done ?? summary) !== undefined || unasked)) {
        const use = { toolName: call.toolName, input, output: result.data, done, summary }
        const line = summaryOf(use, this.tools, this.language)
        this.putFacts(call, {
          ...(line === undefined ? {} : { summary: line }),
          unasked: unasked || undefined,
        })
      }
      this.keepSources(toolCallId, result.data)
      return
    }
    const part = withApproval({ type, toolCallId, input }, callPart)
    const { errorType, details } = result
    const denied = errorType === 'approval_denied' ? this.calls.get(toolCallId) : undefined
    if (denied) this.putFacts(denied)
    if (errorType === 'approval_denied' && callPart.approval) {
      const approval = { ...callPart.approval, approved: false }
      this.parts.replace(callPart, { ...part, state: 'output-denied', approval })
    } else {
      const isSkipped = this.skipped.has(toolCallId)
      const errorText = isSkipped
        ? sayOwn(this.language, closedWords('skip'))
        : sayError(this.language, result)
      this.parts.replace(callPart, { ...part, state: 'output-error', errorText })
    }
    const attempt = this.calls.get(toolCallId)?.attempt
    const parameter = details.parameter === undefined ? {} : { parameter: details.parameter }
    const { code, values } = this.skipped.has(toolCallId) ? closedWords('skip') : askedOf(result)
    const said = { code, values }
    this.parts.putData('tool-error', toolCallId, {
      toolCallId,
      attempt,
      errorType,
      ...parameter,
      ...said,
    })
  }

  /** A form, a link or a time beside the call; an approval is in the call's own state. */
  private ask(question: QuestionEntry): void {
    const { kind, toolCallId, resumeAt } = question
    this.waiting.set(toolCallId, question)
    if (kind === 'approval') {
      for (const id of question.together ?? []) {
        const other = this.parts.findCall(id)
        if (other) this.end(other, closedWords('beside'))
      }
      this.askForApproval(question)
      return
    }
    const callPart = this.parts.findCall(toolCallId)
    const { type: _, ...pending } = describePending(question, this.tools, this.language)
    if (callPart?.state === 'input-available') this.fail(callPart, pending.question)
    if (kind === 'wait') this.parts.putData('wait', toolCallId, { toolCallId, resumeAt })
    else this.parts.putData('question', toolCallId, { ...pending, type: `needs_${kind}` })
  }

  /** Moves an open approval to the last step, where clients look for it. */
  private askForApproval(question: QuestionEntry): void {
    const { toolCallId, toolName, arguments: input } = question
    const approval = { id: question.itemId }
    const part = { type: `tool-${toolName}`, toolCallId, state: 'approval-requested', input, approval }
    const callPart = this.parts.findCall(toolCallId)
    // The words that introduce it are in its step.
    this.parts.putLast(part, callPart, this.finalText !== undefined)
    const { remember } = describePending(question, this.tools, this.language)
    if (remember) {
      const approvalId = question.itemId
      this.parts.putData('remember', toolCallId, { toolCallId, approvalId, ...remember })
    }
  }

  /** An item that was closed without a decision: a card that is still there says why. */
  private closeItem({ toolCallId, itemId, as }: Closed): void {
    if (this.waiting.get(toolCallId)?.itemId !== itemId) return
    this.waiting.delete(toolCallId)
    this.endForm(toolCallId, as)
    const callPart = this.parts.findCall(toolCallId)
    if (callPart?.state === 'approval-requested') this.end(callPart, closedWords(as))
  }

  /** A form that can no longer be completed; `closed`: how, if nobody decided it. */
  private endForm(toolCallId: string, closed?: Closed['as']): void {
    const question = this.parts.findData('question', toolCallId)
    if (!question) return
    // Without the tool's data, which is no longer loaded.
    const { schema: _, title: __, ...data } = question.data
    this.parts.replace(question, {
      ...question,
      data: { ...data, answered: true, ...(closed ? { closed } : {}) },
    })
  }

  private decide({ toolCallId, decision, values = {}, input }: DecisionEntry): void {
    const question = this.waiting.get(toolCallId)
    // A second card, about a fault in what was edited, shows that. What was filled in was not there before.
    if (decision === 'approve' && input && question && !this.shown.has(toolCallId))
      this.shown.set(toolCallId, fillOpenFields(question.arguments, question.open, values))
    this.waiting.delete(toolCallId)
    this.endForm(toolCallId)
    if (isPersons(decision)) this.answered.add(toolCallId)
    if (decision === 'deny' && question)
      this.denied.set(toolCallId, wordsOfQuestion(question, this.tools, this.language).statement)
    if (decision === 'skip') this.skipped.add(toolCallId)
    const callPart = this.parts.findCall(toolCallId)
    if (callPart?.state !== 'approval-requested') return
    const approval = { ...callPart.approval, approved: decision !== 'deny' }
    this.parts.replace(callPart, { ...callPart, state: 'approval-responded', approval })
  }

  private endRun({ status, text: said = this.said, ours = [] }: RunEnd): void {
    for (const part of this.list) {
      const isAsked = part.state === 'approval-requested' && this.waiting.has(String(part.toolCallId))
      if (isOpen(part) && !isAsked) this.end(part as CallPart, closedWords('stop'))
    }
    const answer = this.finalText
    const continues = answer !== undefined && said.startsWith(String(answer.text))
    const inputOf = (id: string) => {
      const input = this.parts.findCall(id)?.input
      return isObject(input) ? input : undefined
    }
    const own = sayTexts(this.language, ours, inputOf, this.tools)
    const texts = [...(continues || said === '' ? [] : [said]), ...own.map(({ text }) => text)]
    if (continues && answer.text !== said) this.parts.replace(answer, textPart(said))
    const asksForApproval = [...this.waiting.values()].some(({ kind }) => kind === 'approval')
    if (texts.length > 0 && !answer && !asksForApproval) this.parts.add({ type: 'step-start' })
    // Our own words are separate parts, so that nobody takes them for the model's.
    for (const text of texts) this.parts.add(textPart(text))
    this.finalText = undefined
    if (status === 'completed') this.nameSources()
  }

  /** Only for reads: what was created is told in words. */
  private keepSources(toolCallId: string, data: unknown): void {
    if (this.calls.get(toolCallId)?.effect !== 'read') return
    for (const source of findSources(toolCallId, data)) {
      const place = String(source.url ?? source.title)
      if (!this.sources.has(place)) this.sources.set(place, source)
    }
  }

  /** At the end of the answer, each once. */
  private nameSources(): void {
    const named = this.list.filter(({ sourceId }) => sourceId !== undefined)
    const open = [...this.sources.values()].filter(
      (source) => !named.some((one) => one.sourceId === source.sourceId),
    )
    for (const source of open.slice(0, mostSources - named.length)) this.parts.add(source)
  }

  /** Removes the last step, which holds only the model's words. */
  private withdrawText(): void {
    if (!this.finalText) return
    const end = this.list.indexOf(this.finalText) + 1
    const step = this.list.slice(0, end).findLastIndex(({ type }) => type === 'step-start')
    this.parts.remove(...this.list.slice(step, end))
    this.finalText = undefined
  }

  /** Closes a call without a result; a sentence with a code is stored beside it. */
  private end(callPart: CallPart, closed: Said): void {
    const { code } = closed
    const text = sayOwn(this.language, closed)
    this.fail(callPart, text)
    this.parts.putData('closed', callPart.toolCallId, { toolCallId: callPart.toolCallId, code, text })
  }

  private fail(callPart: CallPart, errorText: string): void {
    const { type, toolCallId, input } = callPart
    this.parts.replace(
      callPart,
      withApproval({ type, toolCallId, input, state: 'output-error', errorText }, callPart),
    )
  }
}

/** The part with what was asked and decided about the call. */
function withApproval(part: MessagePart, { approval }: Pick<CallPart, 'approval'>): MessagePart {
  return approval ? { ...part, approval } : part
}
