/** What `askback doctor` says about one thing: what is so, and for a note or a failure what to do about it. */
export interface Finding {
  level: 'ok' | 'note' | 'fail'
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string): Finding => ({ level: 'note', text })
export const fail = (text: string): Finding => ({ level: 'fail', text })

/** Milliseconds for everything that has to be waited for. */
export const patienceMs = 5000
