import { type FormEvent, useState } from 'react'
import { forgetUser } from '../../../client/kept-store.ts'
import { useSession } from '../../session.tsx'
import { useFocusBack } from '../../use-focus-back.ts'

/** The end of an account, for whoever types its address once more. */
export function DeleteAccount({ email }: { email: string }) {
  const { askback, config, session, signOut } = useSession()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isBusy)
  const isDemo = email !== '' && email === config.local?.email

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('email')).trim()
    if (typed === '') return setFailure('Type the address of your account to confirm.')
    setBusy(true)
    setFailure('')
    try {
      const { notRevoked } = await askback.deleteAccount(typed)
      forgetUser(session?.user.id ?? '')
      const words = [
        'Your account and everything in it is deleted.',
        ...(notRevoked.length > 0
          ? [`${notRevoked.join(' and ')} couldn’t be notified: remove the app from your account there.`]
          : []),
        ...(isDemo ? ['The demo account comes back when the stack starts again.'] : []),
      ]
      await signOut({ words: words.join(' ') })
    } catch (error) {
      setFailure((error as Error).message)
      setBusy(false)
    }
  }

  return (
    <form className="panel stack" aria-label="Delete account" noValidate onSubmit={submit}>
      <div>
        <h2>Delete account</h2>
        <p className="quiet">
          Deletes your chats, agents, documents, files, connections and tokens for good, and stops whatever is
          running. Emails already sent stay sent.
        </p>
      </div>
      <label>
        Type {email} to confirm
        <input name="email" type="email" autoComplete="off" required />
      </label>
      {failure && (
        <p role="alert" className="problem">
          {failure}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="danger" disabled={isBusy}>
          {isBusy ? 'Deleting …' : 'Delete my account'}
        </button>
      </div>
    </form>
  )
}
