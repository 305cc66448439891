import { type FormEvent, useState } from 'react'
import { useSession } from '../session.tsx'

type Mode = 'sign-in' | 'sign-up' | 'forgotten'

const words: Record<Mode, { title: string; action: string }> = {
  'sign-in': { title: 'Sign in', action: 'Sign in' },
  'sign-up': { title: 'Create an account', action: 'Create account' },
  forgotten: { title: 'Forgotten password', action: 'Send me a link' },
}

/** The door: sign in, sign up, a forgotten password, and on the local stack the demo in one click. */
export function SignIn() {
  const { supabase, config } = useSession()
  const [mode, setMode] = useState<Mode>('sign-in')
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setNote('')
    try {
      setNote(await work())
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  const signIn = async (email: string, password: string) => {
    const { error } = await supabase.auth.signInWithPassword({ email, password })
    if (error) throw new Error(explain(error))
    return ''
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email'))
    const password = String(form.get('password') ?? '')
    const redirectTo = `${location.origin}/`
    void perform(async () => {
      if (mode === 'sign-in') return signIn(email, password)
      if (mode === 'forgotten') {
        const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo })
        if (error) throw new Error(explain(error))
        return 'If there is an account with this address, a mail with a link is on its way.'
      }
      const { data, error } = await supabase.auth.signUp({
        email,
        password,
        options: { emailRedirectTo: redirectTo },
      })
      if (error) throw new Error(explain(error))
      return data.session ? '' : 'Check your mail: a link there opens your account.'
    })
  }

  const change = (next: Mode) => {
    setMode(next)
    setNote('')
    setFailure('')
  }

  return (
    <main className="door">
      <title>{`${words[mode].title} · Askback`}</title>
      <div className="door-intro">
        <h1>Askback</h1>
        <p>Agents that fix their own mistakes, ask only when they must, and never send twice.</p>
      </div>
      <div className="door-panel">
        {config.local && (
          <>
            <button
              type="button"
              className="primary wide"
              disabled={isBusy}
              onClick={() => perform(() => signIn(config.local?.email ?? '', config.local?.password ?? ''))}
            >
              Try the demo
            </button>
            <p className="quiet small">
              This stack runs on your own machine. Mails stay in its inbox. Or use an account of your own:
            </p>
          </>
        )}
        <form onSubmit={submit} className="stack">
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
                minLength={mode === 'sign-up' ? 8 : undefined}
                required
              />
            </label>
          )}
          {failure && (
            <p role="alert" className="problem">
              {failure}
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

function explain({
  message,
  code,
  status,
}: {
  message: string
  code?: string | undefined
  status?: number | undefined
}): string {
  if (code === 'invalid_credentials' || /invalid login/i.test(message)) return 'Email or password is wrong.'
  if (code === 'user_already_exists' || /already registered/i.test(message)) {
    return 'There is an account with this address. Sign in, or ask for a new password.'
  }
  if (code === 'email_not_confirmed') return 'Open the link in the mail that we sent you first.'
  if (code === 'weak_password') return 'Choose a longer password.'
  if (status === 0 || /fetch/i.test(message)) return 'Nothing answers. Check your connection and try again.'
  return message
}
