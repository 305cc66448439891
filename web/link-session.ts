/** Whose link this browser has asked for: of a new account, or a forgotten password. */
const key = 'askback-asked-link'

/**
 * The address of the account that a link would sign in, unless this browser has asked for that very link or is signed in
 * with it. Anybody can send a link to an account of their own, so that what is connected there becomes theirs.
 * @param current the address that is signed in already
 */
export function findStranger(token: string | undefined, current: string | undefined): string | undefined {
  const email = token === undefined ? undefined : emailOf(token)
  const isExpected =
    email === undefined || email === current?.toLowerCase() || email === localStorage.getItem(key)
  return isExpected ? undefined : email
}

/** From now on a link for this address may sign in here. */
export function expectLink(email: string): void {
  localStorage.setItem(key, email.trim().toLowerCase())
}

export function forgetLink(): void {
  localStorage.removeItem(key)
}

/** `fetch` of Supabase Auth that notes for whom a mail with a link was asked for. */
export const fetchAuth: typeof fetch = (input, init) => {
  if (/\/(?:signup|recover|resend|otp)(?:\?|$)/.test(String(input)) && typeof init?.body === 'string') {
    const { email } = JSON.parse(init.body)
    if (typeof email === 'string') expectLink(email)
  }
  return fetch(input, init)
}

/** What a token says itself; whether that is true, the server says when it is used. A token that says nothing is nobody's: ''. */
function emailOf(token: string): string {
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return String(JSON.parse(atob(payload)).email).toLowerCase()
  } catch {
    return ''
  }
}
