/** Whether the browser lets this site keep anything: where cookies are blocked, it throws at the first look. */
export function canStore(): boolean {
  try {
    return Boolean(localStorage && sessionStorage)
  } catch {
    return false
  }
}
