/** The address for which this browser requested a link: for a new account, or a forgotten password. */
const key = 'askback-asked-link'

/**
 * The address of the account that a link would sign in to, unless this browser requested the link or is signed in to that
 * account. Anybody could send a link to their own account, so that whatever the victim connects there becomes theirs.
 * @param current the address that is already signed in
 */
export function findStranger(token: string | undefined, current: string | undefined): string | undefined {
  const email = token === undefined ? undefined : emailOf(token)
  const isExpected =
    email === undefined || email === current?.toLowerCase() || email === localStorage.getItem(key)
  return isExpected ? undefined : email
}

/** Records that a link for this address may sign in here. */
export function expectLink(email: string): void {
  localStorage.setItem(key, email.trim().toLowerCase())
}

export function forgetLink(): void {
  localStorage.removeItem(key)
}

/** `fetch` for Supabase Auth; records the address that a mail with a link was requested for. */
export const fetchAuth: typeof fetch = (input, init) => {
  if (/\/(?:signup|recover|resend|otp)(?:\?|$)/.test(String(input)) && typeof init?.body === 'string') {
    const { email } = JSON.parse(init.body)
    if (typeof email === 'string') expectLink(email)
  }
  return fetch(input, init)
}

/** The address in a token, unverified: the server checks it when it is used. '' if it has none. */
function emailOf(token: string): string {
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return String(JSON.parse(atob(payload)).email).toLowerCase()
  } catch {
    return ''
  }
}
