/** Whether this URL may be shown as a link. */
export function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url)
}
