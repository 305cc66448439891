import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Problem } from '../../client/react/forms/problem.tsx'
import { useFocusBack } from '../../client/react/interaction/use-focus-back.ts'
import { whenIdle } from '../../client/react/messages/when-idle.ts'
import type { AuthFailure } from '../base/auth-words.ts'
import { Logo } from '../base/icons.tsx'
import { useSession } from '../base/session.tsx'
import { WithLink } from '../base/with-link.tsx'
import { focusHeading } from '../shell/page-focus.ts'
import { PasswordField } from './door/password-field.tsx'
import { doorWords } from './door/words.ts'

type Mode = 'sign-in' | 'sign-up' | 'forgotten'

const problemId = 'sign-in-problem'

/** Sign-in, sign-up and password reset, and on the local stack the demo account with one click. */
export function SignIn() {
  const { supabase, config, signInNotice } = useSession()
  const words = doorWords()
  const titles = { 'sign-in': words.signIn, 'sign-up': words.createAnAccount, forgotten: words.forgotten }
  const actions = { 'sign-in': words.signIn, 'sign-up': words.createAccount, forgotten: words.sendLink }
  const [mode, setMode] = useState<Mode>('sign-in')
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState('')
  /** The field that the failure is about, if it is known. */
  const [wrong, setWrong] = useState<'email' | 'password'>()
  /** An address that still has to be confirmed. */
  const [unconfirmed, setUnconfirmed] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isBusy)
  const { auth } = supabase
  useEffect(() => whenIdle(() => void loadAuthWords().catch(() => {})), [])
  const form = useRef<HTMLFormElement>(null)
  // The button that switched is gone: on to the first field that is still to be filled in.
  useEffect(
    () => () => {
      const fields = form.current
      const next = fields?.querySelector<HTMLElement>(':invalid') ?? fields?.querySelector('input')
      next?.focus()
    },
    [mode],
  )
  useEffect(() => {
    if (signInNotice !== undefined) focusHeading('.door h1')
  }, [signInNotice])
  // After confirming or resetting, people return to this page.
  const backHere = `${location.origin}${location.pathname}`

  const perform = async (work: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setWrong(undefined)
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
    await refuse(error)
    return ''
  }
  const tryDemo = ({ email, password }: NonNullable<typeof config.local>) =>
    signIn(email, password).catch(async (error) => {
      const { authSentence } = await loadAuthWords()
      // The only account whose password nobody types.
      const isGone = error.message === authSentence({ message: '', code: 'invalid_credentials' })
      throw isGone ? new Error(words.demoGone) : error
    })
  const signUp = async (email: string, password: string) => {
    const { data, error } = await auth.signUp({ email, password, options: { emailRedirectTo: backHere } })
    await refuse(error)
    return data.session ? '' : words.checkEmail
  }
  const sendLink = async (email: string) => {
    const { error } = await auth.resetPasswordForEmail(email, { redirectTo: backHere })
    await refuse(error)
    return words.linkSent
  }
  const confirmAgain = async (email: string) => {
    const { error } = await auth.resend({ type: 'signup', email, options: { emailRedirectTo: backHere } })
    await refuse(error)
    return words.sentAgain
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email')).trim()
    const password = String(form.get('password') ?? '')
    void perform(async () => {
      const { addressProblem, newPasswordProblem } = await loadAuthWords()
      const passwordProblem =
        mode === 'sign-up' ? newPasswordProblem(password) : missingPassword(mode, password)
      const emailProblem = addressProblem(email)
      const problem = emailProblem ?? passwordProblem
      if (problem) setWrong(emailProblem ? 'email' : 'password')
      if (problem) throw new Error(problem)
      if (mode === 'sign-in') return signIn(email, password)
      return mode === 'sign-up' ? signUp(email, password) : sendLink(email)
    })
  }

  const change = (next: Mode) => {
    setMode(next)
    setNote('')
    setFailure('')
    setWrong(undefined)
    setUnconfirmed('')
  }

  return (
    <main className="door">
      <title>{`${titles[mode]} · Askback`}</title>
      <div className="door-intro">
        <Logo />
        <h1>Askback</h1>
        <p>{words.claim}</p>
      </div>
      <div className="door-panel">
        {signInNotice && (
          <p role="status" className="note">
            {signInNotice}
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
              {words.tryDemo}
            </button>
            <p className="quiet small">
              <WithLink words={words.demoNote} link={(inbox) => <a href="/inbox">{inbox}</a>} />
            </p>
          </>
        )}
        <form ref={form} onSubmit={submit} className="stack" noValidate>
          <h2>{titles[mode]}</h2>
          <label>
            {words.email}
            <input
              name="email"
              type="email"
              autoComplete="username"
              aria-invalid={wrong === 'email'}
              aria-describedby={wrong === 'email' ? problemId : undefined}
              required
            />
          </label>
          {mode !== 'forgotten' && (
            <PasswordField
              label={words.password}
              isNew={mode === 'sign-up'}
              problemId={wrong === 'password' ? problemId : undefined}
            />
          )}
          <Problem id={problemId}>{failure}</Problem>
          {unconfirmed && (
            <p>
              <button
                type="button"
                className="link"
                disabled={isBusy}
                onClick={() => perform(() => confirmAgain(unconfirmed))}
              >
                {words.sendAgain}
              </button>
            </p>
          )}
          <p role="status" className={note ? 'note' : 'hidden'}>
            {note}
          </p>
          <button type="submit" className={config.local ? 'wide' : 'primary wide'} disabled={isBusy}>
            {actions[mode]}
          </button>
        </form>
        <p className="door-links">
          {(['sign-in', 'sign-up', 'forgotten'] as const)
            // Users without an account have forgotten no password.
            .filter((other) => other !== mode && (mode !== 'sign-up' || other === 'sign-in'))
            .map((other) => (
              <button key={other} type="button" className="link" onClick={() => change(other)}>
                {other === 'sign-in' ? words.haveAccount : titles[other]}
              </button>
            ))}
        </p>
      </div>
    </main>
  )
}

function missingPassword(mode: Mode, password: string): string | undefined {
  return mode === 'sign-in' && password === '' ? doorWords().enterPassword : undefined
}

/** The error texts: not needed to render the page. */
const loadAuthWords = () => import('../base/auth-words.ts')

async function refuse(failure: AuthFailure | null): Promise<void> {
  if (failure) throw new Error((await loadAuthWords()).authSentence(failure))
}
