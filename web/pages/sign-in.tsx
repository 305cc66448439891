import { type FormEvent, useState } from 'react'
import { addressProblem, authSentence, newPasswordProblem } from '../auth-words.ts'
import { Logo } from '../icons.tsx'
import { useSession } from '../session.tsx'

type Mode = 'sign-in' | 'sign-up' | 'forgotten'

const words: Record<Mode, { title: string; action: string }> = {
  'sign-in': { title: 'Sign in', action: 'Sign in' },
  'sign-up': { title: 'Create an account', action: 'Create account' },
  forgotten: { title: 'Forgotten password', action: 'Send me a link' },
}

/** The door: sign in, sign up, a forgotten password, and on the local stack the demo in one click. */
export function SignIn() {
  const { supabase, config, farewell } = useSession()
  const [mode, setMode] = useState<Mode>('sign-in')
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState('')
  /** An address that waits for its confirmation. */
  const [unconfirmed, setUnconfirmed] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { auth } = supabase
  // Confirmed or recovered, people come back to where they were.
  const backHere = `${location.origin}${location.pathname}`

  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setNote('')
    setUnconfirmed('')
    try {
      setNote(await work())
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  const signIn = async (email: string, password: string) => {
    const { error } = await auth.signInWithPassword({ email, password })
    if (error?.code === 'email_not_confirmed') setUnconfirmed(email)
    if (error) throw new Error(authSentence(error))
    return ''
  }
  const tryDemo = ({ email, password }: NonNullable<typeof config.local>) =>
    signIn(email, password).catch((error) => {
      // The one account whose password nobody types.
      const isGone = error.message === authSentence({ message: '', code: 'invalid_credentials' })
      throw isGone ? new Error('The demo account was deleted. Restart the stack to get a new one.') : error
    })
  const signUp = async (email: string, password: string) => {
    const { data, error } = await auth.signUp({ email, password, options: { emailRedirectTo: backHere } })
    if (error) throw new Error(authSentence(error))
    return data.session ? '' : 'Check your email and open the link we sent you.'
  }
  const sendLink = async (email: string) => {
    const { error } = await auth.resetPasswordForEmail(email, { redirectTo: backHere })
    if (error) throw new Error(authSentence(error))
    return 'If there’s an account with this address, we’ve emailed it a link.'
  }
  const confirmAgain = async (email: string) => {
    const { error } = await auth.resend({ type: 'signup', email, options: { emailRedirectTo: backHere } })
    if (error) throw new Error(authSentence(error))
    return 'We’ve sent it again.'
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email')).trim()
    const password = String(form.get('password') ?? '')
    void perform(async () => {
      const problem = addressProblem(email) ?? passwordProblem(mode, password)
      if (problem) throw new Error(problem)
      if (mode === 'sign-in') return signIn(email, password)
      return mode === 'sign-up' ? signUp(email, password) : sendLink(email)
    })
  }

  const change = (next: Mode) => {
    setMode(next)
    setNote('')
    setFailure('')
    setUnconfirmed('')
  }

  return (
    <main className="door">
      <title>{`${words[mode].title} · Askback`}</title>
      <div className="door-intro">
        <Logo />
        <h1>Askback</h1>
        <p>Agents that fix their own mistakes, ask only when they must, and never send twice.</p>
      </div>
      <div className="door-panel">
        {farewell && (
          <p role="status" className="note">
            {farewell}
          </p>
        )}
        {config.local && (
          <>
            <button
              type="button"
              className="primary wide"
              disabled={isBusy}
              onClick={() => perform(() => (config.local ? tryDemo(config.local) : Promise.resolve('')))}
            >
              Try the demo
            </button>
            <p className="quiet small">
              Everything runs on your machine, and mail stays in <a href="/inbox">its inbox</a>. Or use your
              own account:
            </p>
          </>
        )}
        <form onSubmit={submit} className="stack" noValidate>
          <h2>{words[mode].title}</h2>
          <label>
            Email
            <input name="email" type="email" autoComplete="username" required />
          </label>
          {mode !== 'forgotten' && (
            <label>
              Password
              <input
                name="password"
                type="password"
                autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
                required
              />
            </label>
          )}
          {failure && (
            <p role="alert" className="problem">
              {failure}
            </p>
          )}
          {unconfirmed && (
            <p>
              <button
                type="button"
                className="link"
                disabled={isBusy}
                onClick={() => perform(() => confirmAgain(unconfirmed))}
              >
                Send the email again
              </button>
            </p>
          )}
          <p role="status" className={note ? 'note' : 'hidden'}>
            {note}
          </p>
          <button type="submit" className={config.local ? 'wide' : 'primary wide'} disabled={isBusy}>
            {words[mode].action}
          </button>
        </form>
        <p className="door-links">
          {(['sign-in', 'sign-up', 'forgotten'] as const)
            .filter((other) => other !== mode)
            .map((other) => (
              <button key={other} type="button" className="link" onClick={() => change(other)}>
                {other === 'sign-in' ? 'I have an account' : words[other].title}
              </button>
            ))}
        </p>
      </div>
    </main>
  )
}

function passwordProblem(mode: Mode, password: string): string | undefined {
  if (mode === 'sign-up') return newPasswordProblem(password)
  return mode === 'sign-in' && password === '' ? 'Enter your password.' : undefined
}
