/** An object without its members that are undefined. */
export function withoutNothing<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const known = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as { [Name in keyof Members]?: NonNullable<Members[Name]> }
}
