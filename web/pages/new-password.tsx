import { type FormEvent, useState } from 'react'
import { Problem } from '../../client/react/forms/problem.tsx'
import { useFocusBack } from '../../client/react/interaction/use-focus-back.ts'
import { authSentence, newPasswordProblem } from '../base/auth-words.ts'
import { useSession } from '../base/session.tsx'
import { linkWords } from './door/link-words.ts'
import { PasswordField } from './door/password-field.tsx'
import { doorWords } from './door/words.ts'

/** Shown after following a password reset link. */
export function NewPassword() {
  const { supabase, session } = useSession()
  const words = linkWords()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isBusy)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    const problem = newPasswordProblem(password)
    setFailure(problem ?? '')
    if (problem) return
    setBusy(true)
    const { error } = await supabase.auth.updateUser({ password })
    setFailure(error ? authSentence(error) : '')
    setBusy(false)
  }
  return (
    <main className="door">
      <title>{`${words.newPassword} · Askback`}</title>
      <div className="door-panel">
        <form onSubmit={submit} className="stack" noValidate>
          <h1>{words.choosePassword}</h1>
          <p className="quiet">{words.passwordFor(session?.user.email ?? '')}</p>
          <PasswordField label={doorWords().password} isNew />
          <Problem>{failure}</Problem>
          <button type="submit" className="primary wide" disabled={isBusy}>
            {words.savePassword}
          </button>
        </form>
      </div>
    </main>
  )
}
