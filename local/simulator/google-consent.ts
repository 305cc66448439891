import { html } from 'hono/html'
import { type Renderable, renderPage } from '../http/page.ts'

/** A scope with Google's own description and class. */
export interface Scope {
  title: string
  /** Google's class: apps that ask for a restricted scope need a security assessment. */
  level: 'basic' | 'not sensitive' | 'sensitive' | 'restricted'
}

/** The scopes that the simulator knows; any other is refused with `invalid_scope`. */
export const knownScopes: Readonly<Record<string, Scope>> = {
  openid: { title: 'Associate you with your personal info on Google', level: 'basic' },
  email: { title: 'See your primary Google Account email address', level: 'basic' },
  profile: { title: 'See your personal info', level: 'basic' },
  'https://www.googleapis.com/auth/userinfo.email': {
    title: 'See your primary Google Account email address',
    level: 'basic',
  },
  'https://www.googleapis.com/auth/userinfo.profile': { title: 'See your personal info', level: 'basic' },
  'https://www.googleapis.com/auth/gmail.send': { title: 'Send email on your behalf', level: 'sensitive' },
  'https://www.googleapis.com/auth/gmail.labels': {
    title: 'See and edit your email labels',
    level: 'not sensitive',
  },
  'https://www.googleapis.com/auth/gmail.readonly': {
    title: 'View your email messages and settings',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/gmail.metadata': {
    title: 'View your email message metadata such as labels and headers, but not the email body',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/gmail.compose': {
    title: 'Manage drafts and send emails',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/gmail.modify': {
    title: 'Read, compose, and send emails from your Gmail account',
    level: 'restricted',
  },
  'https://mail.google.com/': {
    title: 'Read, compose, send, and permanently delete all your email from Gmail',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/drive.file': {
    title: 'See, edit, create, and delete only the specific Google Drive files you use with this app',
    level: 'not sensitive',
  },
  'https://www.googleapis.com/auth/drive.readonly': {
    title: 'See and download all your Google Drive files',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/drive': {
    title: 'See, edit, create, and delete all of your Google Drive files',
    level: 'restricted',
  },
  'https://www.googleapis.com/auth/documents': {
    title: 'See, edit, create, and delete all your Google Docs documents',
    level: 'sensitive',
  },
  'https://www.googleapis.com/auth/documents.readonly': {
    title: 'See all your Google Docs documents',
    level: 'sensitive',
  },
}

/** Whether users can untick it; scopes that only identify them cannot be unticked. */
export function isOptional(scope: string): boolean {
  return knownScopes[scope]?.level !== 'basic'
}

/** The page on which a user chooses an account and what to allow. It posts to its own URL. */
export function renderConsent(facts: {
  clientId: string
  accounts: readonly string[]
  loginHint: string | undefined
  scopes: readonly string[]
}): Renderable {
  const { clientId, accounts, loginHint, scopes } = facts
  const chosen = loginHint !== undefined && accounts.includes(loginHint) ? loginHint : accounts[0]
  return renderPage(
    'Sign in (simulator)',
    html`<h1>Choose an account</h1>
<p><strong>This is a simulator of Google on this machine.</strong> Nothing here is a real account, and nothing leaves this machine.</p>
<form method="post">
<fieldset><legend>Account</legend>
${accounts.map(
  (email) =>
    html`<p><label><input type="radio" name="account" value="${email}" ${email === chosen ? 'checked' : ''}> ${email}</label></p>`,
)}
</fieldset>
<fieldset><legend>Select what ${clientId} can access</legend>
${scopes
  .filter(isOptional)
  .map(
    (scope) =>
      html`<p><label><input type="checkbox" name="scope" value="${scope}" checked> ${knownScopes[scope]?.title} <span class="quiet">${scope}</span></label></p>`,
  )}
</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`,
  )
}

/** Google shows these errors to the user, because it never redirects to an address that is not registered. */
export function renderRefusal(status: number, code: string, detail: string): Renderable {
  return renderPage(
    'Access blocked (simulator)',
    html`<h1>Access blocked: this app's request is invalid</h1>
<p>Error ${status}: ${code}</p>
<p>${detail}</p>
<p class="quiet">This is a simulator of Google on this machine.</p>`,
  )
}
