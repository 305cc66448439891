import { type FormEvent, useState } from 'react'
import { createKeptStore } from '../../../client/kept-store.ts'
import { Problem } from '../../../client/react/forms/problem.tsx'
import { useFocusBack } from '../../../client/react/interaction/use-focus-back.ts'
import { failureSentence } from '../../base/failure-sentence.ts'
import { showList } from '../../base/locale.ts'
import { useSession } from '../../base/session.tsx'
import { accountWords } from './words.ts'

/** Deletes the account, once its address is typed again, or a word if it has none. */
export function DeleteAccount({ email }: { email: string }) {
  const { askback, config, session, signOut } = useSession()
  const words = accountWords()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  useFocusBack(isBusy)
  const userId = session?.user.id ?? ''
  const isDemo = email !== '' && email === config.local?.email

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('proof')).trim()
    if (email === '' && typed.toLocaleUpperCase() !== words.confirmWord)
      return setFailure(words.confirmWordMissing)
    if (typed === '') return setFailure(words.confirmMissing)
    setBusy(true)
    setFailure('')
    try {
      const { notRevoked } = await askback.deleteAccount(email === '' ? userId : typed)
      createKeptStore(userId).forget()
      const sentences = [
        words.deleted,
        ...(notRevoked.length > 0 ? [words.notNotified(showList(notRevoked))] : []),
        ...(isDemo ? [words.demoComesBack] : []),
      ]
      await signOut({ words: sentences.join(' ') })
    } catch (error) {
      setFailure(failureSentence(error))
      setBusy(false)
    }
  }

  return (
    <form className="panel stack" aria-label={words.deleteAccount} noValidate onSubmit={submit}>
      <div>
        <h2>{words.deleteAccount}</h2>
        <p className="quiet">{words.deleteNote}</p>
      </div>
      <label>
        {words.typeToConfirm(email || words.confirmWord)}
        <input name="proof" type={email === '' ? 'text' : 'email'} autoComplete="off" required />
      </label>
      <Problem>{failure}</Problem>
      <div className="actions">
        <button type="submit" className="danger" disabled={isBusy}>
          {isBusy ? words.deleting : words.deleteMine}
        </button>
      </div>
    </form>
  )
}
