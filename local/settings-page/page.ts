import { html } from 'hono/html'
import { type Renderable, renderPage } from '../page.ts'

/** The integrations of whoever signs in; `script.js` fills it. It stands here until the web app has a page of its own. */
export function renderSettingsPage(facts: {
  publishableKey: string
  demoUser: { email: string; password: string }
}): Renderable {
  const { publishableKey, demoUser } = facts
  return renderPage(
    'Integrations',
    html`<h1>Integrations</h1>
<p class="quiet">What your agents work with. <a href="/">Askback</a></p>
<p role="status" id="message"></p>
<form id="sign-in" hidden>
<p><button type="button" id="demo">Try the demo</button></p>
<p><label>Email <input name="email" type="email" autocomplete="username" required></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button>Sign in</button></p>
</form>
<div id="providers"></div>
<p><button type="button" id="sign-out" hidden>Sign out</button></p>
<script type="module" src="/settings/script.js" id="script" data-key="${publishableKey}" data-email="${demoUser.email}" data-password="${demoUser.password}"></script>`,
  )
}
