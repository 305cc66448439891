import type { MessageData } from '../../../../shared/api/message-data.ts'

/** A part of a UI message; `type` decides the rest. */
export type MessagePart = { type: string } & Record<string, unknown>

export type CallPart = MessagePart & { toolCallId: string; approval?: { id: string; approved?: boolean } }
/** One with our data. */
export type DataPart<Name extends keyof MessageData = keyof MessageData> = MessagePart & {
  type: `data-${Name}`
  id: string
  data: MessageData[Name]
}

/** A new part, or one that replaces another. Removals are not reported: a stream cannot take anything back. */
export interface PartChange {
  part: MessagePart
  old?: MessagePart
  /** Clients rewrite the input of a call only in their last step. */
  inLastStep: boolean
}

/** Whether a call is running, or waits for approval. */
export function isOpen({ state }: MessagePart): boolean {
  return state === 'input-available' || state === 'approval-requested'
}

/** The parts of a message, with listeners for each change. Parts are never changed, only replaced. */
export class PartList {
  readonly parts: MessagePart[] = []
  private readonly onChange: (change: PartChange) => void

  constructor(onChange: (change: PartChange) => void) {
    this.onChange = onChange
  }

  add(part: MessagePart): void {
    this.parts.push(part)
    this.onChange({ part, inLastStep: true })
  }

  replace(old: MessagePart, part: MessagePart): void {
    const inLastStep = this.isInLastStep(old)
    this.parts[this.parts.indexOf(old)] = part
    this.onChange({ part, old, inLastStep })
  }

  remove(...parts: MessagePart[]): void {
    for (const part of parts) this.parts.splice(this.parts.indexOf(part), 1)
  }

  /**
   * Puts a call into the last step, in place of `earlier` if that is there. Otherwise `earlier` is removed, and the call gets a
   * step of its own, unless the last step is known to be its step or other calls of it are still open.
   */
  putLast(part: MessagePart, earlier: CallPart | undefined, isItsStep = false): void {
    if (earlier && this.isInLastStep(earlier)) {
      this.replace(earlier, part)
      return
    }
    if (earlier) this.remove(earlier)
    if (!isItsStep && !this.lastStep().some(isOpen)) this.add({ type: 'step-start' })
    this.add(part)
  }

  findCall(toolCallId: string): CallPart | undefined {
    return this.parts.find((part): part is CallPart => part.toolCallId === toolCallId)
  }

  findData<Name extends keyof MessageData>(name: Name, id: string): DataPart<Name> | undefined {
    return this.parts.find((part): part is DataPart<Name> => part.type === `data-${name}` && part.id === id)
  }

  private lastStep(): MessagePart[] {
    return this.parts.slice(this.parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  }

  private isInLastStep(part: MessagePart): boolean {
    return this.lastStep().includes(part)
  }

  /** Adds a data part, or replaces the one of the same name and id, as clients do. */
  putData<Name extends keyof MessageData>(name: Name, id: string, data: MessageData[Name]): void {
    const old = this.findData(name, id)
    const part = { type: `data-${name}`, id, data }
    if (old) this.replace(old, part)
    else this.add(part)
  }
}
