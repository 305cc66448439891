/** The page of the integrations: signs in, lists providers, connects, tests and disconnects. No library, no build. */
const { key, email, password } = document.getElementById('script').dataset
const settings = '/functions/v1/integration-settings'
const find = (id) => document.getElementById(id)
let token = sessionStorage.getItem('askback-token')

const say = (sentence) => {
  find('message').textContent = sentence
}

async function ask(method, path, body) {
  const response = await fetch(`${settings}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (response.ok) return answer
  if (response.status === 401) signOut()
  throw Object.assign(new Error(answer.error.message), { problems: answer.error.details?.problems })
}

async function signIn(credentials) {
  const response = await fetch('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const session = await response.json()
  if (!session.access_token) return say('Email or password is wrong.')
  token = session.access_token
  sessionStorage.setItem('askback-token', token)
  say('')
  await open()
}

function signOut() {
  token = null
  sessionStorage.removeItem('askback-token')
  find('providers').replaceChildren()
  show()
}

function show() {
  find('sign-in').hidden = token !== null
  find('sign-out').hidden = token === null
}

/** Does something that may fail, says what came of it, and shows how things stand where it went well. */
async function perform(work) {
  try {
    say('One moment …')
    say(await work())
    if (token !== null) await list()
  } catch (error) {
    // What was typed stays.
    say(error.message)
  }
}

/** Comes back from a provider's page, or just shows the list. */
async function open() {
  show()
  const address = new URL(location.href)
  const { code, error, connecting } = Object.fromEntries(address.searchParams)
  for (const name of ['code', 'error', 'connecting']) address.searchParams.delete(name)
  if (token === null) return code ? say('Sign in again to finish connecting.') : undefined
  history.replaceState(null, '', address)
  if (code) return perform(async () => connected((await ask('POST', '/oauth/complete', { code })).connection))
  if (error === 'access_denied') say('You have not allowed it, so nothing was connected.')
  else if (error) say(`${connecting} could not be connected (${error}). Connect again.`)
  await list()
}

const connected = ({ account, label }) =>
  `Connected${account || label ? `: ${account || label}` : ''}. What waited for it goes on by itself.`

async function list() {
  const { providers } = await ask('GET', '/')
  find('providers').replaceChildren(...providers.filter(({ builtIn }) => !builtIn).map(region))
  const wanted = new URL(location.href).searchParams.get('provider')
  if (wanted) find(`provider-${wanted}`)?.scrollIntoView()
}

function make(name, facts = {}, ...children) {
  const element = Object.assign(document.createElement(name), facts)
  element.append(...children)
  return element
}

function region(provider) {
  const { id, name, description, connections, oauth } = provider
  const heading = make('h2', { id: `heading-${id}`, textContent: name })
  const section = make('section', { id: `provider-${id}` }, heading, make('p', { textContent: description }))
  section.setAttribute('aria-labelledby', heading.id)
  section.append(...connections.map((connection) => describe(provider, connection)))
  section.append(oauth ? signInButton(provider) : form(provider))
  return section
}

function button(text, work) {
  return make('button', { type: 'button', textContent: text, onclick: () => perform(work) })
}

function describe({ name, tools }, { id, label, account, status, lastError, lastUsedAt, unavailable = [] }) {
  const title = make('strong', { textContent: account || label || name })
  const used = lastUsedAt ? `, last used ${new Date(lastUsedAt).toLocaleString()}` : ''
  const article = make('article', {}, make('p', {}, title, ` ${status}${used}`))
  if (lastError) article.append(make('p', { textContent: lastError }))
  if (unavailable.length > 0) {
    const more = make('details', {}, make('summary', { textContent: 'What it may not do' }))
    more.append(make('ul', {}, ...unavailable.map(({ reason }) => make('li', { textContent: reason }))))
    article.append(more)
  }
  const test = button('Test', async () => {
    const result = await ask('POST', `/connections/${id}/test`)
    return result.ok ? `${name} works.` : result.error.replace(/^Question: /, '')
  })
  const disconnect = button('Disconnect', async () => {
    const { lost, revoked } = await ask('DELETE', `/connections/${id}`)
    const losses = lost.map(
      (agent) => `${agent.name} can no longer use ${agent.tools.length} of ${tools.length} tools.`,
    )
    const rest =
      revoked === false ? [`${name} could not be told: remove the app in your account there, too.`] : []
    return ['Disconnected.', ...losses, ...rest].join(' ')
  })
  article.append(make('p', {}, test, ' ', disconnect))
  return article
}

function signInButton({ id, connections }) {
  return button('Connect', async () => {
    const { searchParams, origin, pathname } = new URL(location.href)
    const tools = searchParams.get('provider') === id ? searchParams.get('tools')?.split(',') : undefined
    const request = { provider: id, returnTo: `${origin}${pathname}?provider=${id}` }
    const renewed = connections.length === 1 ? { connectionId: connections[0].id } : {}
    const { url } = await ask('POST', '/oauth/start', { ...request, ...renewed, ...(tools ? { tools } : {}) })
    location.assign(url)
    // The page ends here.
    return await new Promise(() => {})
  })
}

function form({ id, connection }) {
  const required = connection.required ?? []
  const fields = Object.entries(connection.properties ?? {})
  const element = make(
    'form',
    {},
    ...fields.map(([name, shape]) => field(name, shape, required.includes(name))),
  )
  element.append(make('p', {}, make('button', { textContent: 'Connect' })))
  element.onsubmit = (event) => {
    event.preventDefault()
    perform(async () => {
      const given = [...new FormData(element)].filter(([, value]) => value !== '')
      return connected(
        (await ask('POST', '/connections', { provider: id, values: Object.fromEntries(given) })).connection,
      )
    })
  }
  return element
}

function field(name, { title, type, secret, enum: choices, default: usual, examples }, required) {
  const words = title ?? name
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  const facts = { name, required: required && usual === undefined }
  const input = choices
    ? make(
        'select',
        facts,
        ...choices.map((choice) => make('option', { value: choice, textContent: choice })),
      )
    : make('input', {
        ...facts,
        type: secret ? 'password' : type === 'integer' ? 'number' : 'text',
        autocomplete: 'off',
      })
  if (!choices) input.placeholder = String(usual ?? (secret ? '' : (examples?.[0] ?? '')))
  return make('p', {}, make('label', {}, `${label} `, input))
}

find('sign-in').onsubmit = (event) => {
  event.preventDefault()
  signIn(Object.fromEntries(new FormData(event.target)))
}
find('demo').onclick = () => signIn({ email, password })
find('sign-out').onclick = signOut
open()
