/** Where an app is: a host on the web, or undefined for a program on this computer. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && !isLoopback(hostname) ? hostname : undefined
}

/** Whether a page may send its user there: no address that runs something in the page itself. */
export function mayLeaveFor(address: string): boolean {
  if (!URL.canParse(address)) return false
  return !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'].includes(
    new URL(address).protocol,
  )
}

function isLoopback(hostname: string): boolean {
  return /(^|\.)localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
}
