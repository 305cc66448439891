/** The calls that the faults are made of. */
export const search = { query: 'deno' }
export const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'We meet at ten.' }

/** A text in the middle of which an answer may be cut. */
export const longBody = 'Dear Ada, the meeting is at ten. Please do not tell anybody before that.'
