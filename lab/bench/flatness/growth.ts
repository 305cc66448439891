import type { MeasuredProcess } from '../measured-process.ts'
import type { Place } from './place.ts'

/** Something that a project has more of from month to month. */
export interface Growth {
  name: string
  /** Sets up all its sizes, the smallest first. `turns`: how many will be taken in each. */
  open(openPlace: (userCount: number) => Promise<Place>, turns: number): Promise<Size[]>
}

export interface Size {
  name: string
  /** The process that serves it. */
  chat: MeasuredProcess
  takeTurn(number: number): Promise<void>
}
