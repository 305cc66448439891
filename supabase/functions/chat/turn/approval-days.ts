/** Days until an approval expires: `ASKBACK_APPROVAL_DAYS`, 7 by default. Throws if it is not a number of days. */
export function readApprovalDays(text: string | undefined): number {
  if (text === undefined || text === '') return 7
  const days = Number(text)
  if (days > 0 && days <= 365) return days
  throw new Error(`ASKBACK_APPROVAL_DAYS is "${text}". Set it to a number of days above 0, at most 365.`)
}
