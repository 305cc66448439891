import { type FormEvent, useState } from 'react'
import { useSession } from '../session.tsx'

/** After the link of a forgotten password. */
export function NewPassword() {
  const { supabase } = useSession()
  const [failure, setFailure] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    const { error } = await supabase.auth.updateUser({ password })
    setFailure(error?.message ?? '')
  }
  return (
    <main className="door">
      <title>New password · Askback</title>
      <div className="door-panel">
        <form onSubmit={submit} className="stack">
          <h1>Choose a new password</h1>
          <label>
            Password
            <input name="password" type="password" autoComplete="new-password" minLength={8} required />
          </label>
          {failure && (
            <p role="alert" className="problem">
              {failure}
            </p>
          )}
          <button type="submit" className="primary wide">
            Save password
          </button>
        </form>
      </div>
    </main>
  )
}
