/** When something was, to be put after the verb; empty if that is not known. Begins with a space. */
export function tellWhen(at: string | undefined, timeZone = 'UTC'): string {
  if (at === undefined) return ''
  const moment = new Date(at)
  const show = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(moment)
    } catch {
      return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(moment)
    }
  }
  const time = show({ hour: '2-digit', minute: '2-digit', hour12: false })
  return ` on ${show({ day: 'numeric', month: 'short' })} at ${time}${timeZone === 'UTC' ? ' UTC' : ''}`
}
