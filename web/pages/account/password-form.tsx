import { type FormEvent, useState } from 'react'
import { Problem } from '../../../client/react/forms/problem.tsx'
import { useFocusBack } from '../../../client/react/interaction/use-focus-back.ts'
import { authSentence, newPasswordProblem } from '../../base/auth-words.ts'
import { useSession } from '../../base/session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { PasswordField } from '../door/password-field.tsx'
import { accountWords } from './words.ts'

/** Changes the password; the current one is required. */
export function PasswordForm({ email }: { email: string }) {
  const { supabase } = useSession()
  const toast = useToast()
  const words = accountWords()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isBusy)

  const change = async (current: string, password: string) => {
    const problem = current === '' ? words.enterCurrent : newPasswordProblem(password)
    if (problem) return problem
    // An unattended session must not be enough to take over an account.
    const { error: refused } = await supabase.auth.signInWithPassword({ email, password: current })
    if (refused?.code === 'invalid_credentials') return words.currentIsWrong
    if (refused) return authSentence(refused)
    const { error } = await supabase.auth.updateUser({ password, current_password: current })
    return error ? authSentence(error) : ''
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const target = event.currentTarget
    const form = new FormData(target)
    setBusy(true)
    const problem = await change(String(form.get('current')), String(form.get('password')))
    setBusy(false)
    setFailure(problem)
    if (problem) return
    target.reset()
    toast(words.passwordChanged)
  }

  return (
    <form className="panel stack" aria-label={words.password} noValidate onSubmit={submit}>
      <h2>{words.password}</h2>
      {/* For password managers, which store it with the address. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField name="current" label={words.currentPassword} isNew={false} />
      <PasswordField label={words.newPassword} isNew />
      <Problem>{failure}</Problem>
      <div className="actions">
        <button type="submit" className="primary" disabled={isBusy}>
          {words.changePassword}
        </button>
      </div>
    </form>
  )
}
