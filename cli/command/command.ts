/** A flag of a command. */
export interface Flag {
  /** What stands for its value in the usage, like `DIR`. Absent: the flag is on or off. */
  value?: string
  /** It may be given several times. */
  repeats?: true
  about: string
}

export interface Command {
  /** What it does, in one line of the usage. */
  about: string
  /** What stands for its one argument in the usage, like `NAME`; it must be given. */
  argument?: string
  flags: Readonly<Record<string, Flag>>
  load(): Promise<{ run(call: Call): Promise<ExitCode> }>
}

/** 0: done, or nothing to do. 1: refused, or something was found. */
export type ExitCode = 0 | 1

/** What a command was called with. */
export interface Call {
  argument: string
  /**
   * The folder that holds `supabase/config.toml`.
   * @throws {Refusal} when there is none
   */
  project(): string
  isOn(flag: string): boolean
  /** The value of a flag that is given once at most. */
  valueOf(flag: string): string | undefined
  /** The values of a flag that repeats. */
  valuesOf(flag: string): string[]
}
